/** A clock that only moves when told to. */
export function testClock(start = 1_700_000_000_000) {
  let time = start
  return {
    now: () => time,
    pass(milliseconds: number) {
      time += milliseconds
    },
  }
}
