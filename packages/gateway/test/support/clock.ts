/** A clock that moves only when set. */
export function testClock(start = 1_700_000_000_000) {
  let time = start
  return {
    now: () => time,
    pass(milliseconds: number) {
      time += milliseconds
    },
  }
}
