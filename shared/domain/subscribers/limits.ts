/** A target that has not responded for as long as a delivery is retried is paused. */
export const pausesAfterHours = 28;
