/** The contact who plays the first conversation, and who gets a Flow that is tried out. */
export const sampleContact = '5511988887777';
