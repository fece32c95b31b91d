/** Moves this process's `Date` forward, so that validity, expiry and long waits can be seen to end. */
export function shiftClock(milliseconds) {
  if (milliseconds === 0) {
    return;
  }
  const now = Date.now;
  Date.now = () => now() + milliseconds;
  globalThis.Date = new Proxy(Date, {
    apply: (RealDate) => new RealDate(RealDate.now()).toString(),
    construct: (RealDate, args, newTarget) =>
      Reflect.construct(RealDate, args.length === 0 ? [RealDate.now()] : args, newTarget),
  });
  Date.prototype.constructor = Date;
}
