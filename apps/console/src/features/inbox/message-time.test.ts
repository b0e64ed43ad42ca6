import { describe, expect, it } from 'vitest'
import { messageTime } from './message-time.ts'

/** A Wednesday in the local time zone. */
const NOW = new Date(2026, 10, 18, 14, 30)

describe('the time of a message', () => {
  it.each([
    ['the same hour', new Date(2026, 10, 18, 14, 5), '14:05', '14:05'],
    ['the first minute of today', new Date(2026, 10, 18, 0, 0), '00:00', '00:00'],
    ['the last minute of yesterday', new Date(2026, 10, 17, 23, 59), '周二 23:59', 'Tue 23:59'],
    ['six days ago', new Date(2026, 10, 12, 8, 1), '周四 08:01', 'Thu 08:01'],
    ['the same weekday a week ago', new Date(2026, 10, 11, 20, 0), '11月11日 20:00', 'Nov 11 20:00'],
    ['long ago', new Date(2025, 0, 2, 3, 4), '1月2日 03:04', 'Jan 2 03:04'],
    ['a clock that runs ahead', new Date(2026, 10, 19, 0, 1), '11月19日 00:01', 'Nov 19 00:01'],
  ])('of %s', (_, time, chinese, english) => {
    expect(messageTime(time, 'zh', NOW)).toBe(chinese)
    expect(messageTime(time, 'en', NOW)).toBe(english)
  })
})
