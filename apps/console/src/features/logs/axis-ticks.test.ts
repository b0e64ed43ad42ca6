import { expect, it } from 'vitest'
import { axisTicks } from './axis-ticks.ts'

const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime() / 1000
const labels = (start: number, end: number) =>
  axisTicks(start, end).map(({ time, isDay }) => {
    const local = new Date(time * 1000)
    return isDay ? `day ${local.getDate()}` : `${local.getHours()}:${String(local.getMinutes()).padStart(2, '0')}`
  })

it('labels each midnight of a week', () => {
  expect(labels(at(2026, 10, 12, 14), at(2026, 10, 19, 14))).toEqual(
    [13, 14, 15, 16, 17, 18, 19].map((day) => `day ${day}`),
  )
})

it('labels midnights at equal distances for longer ranges', () => {
  expect(labels(at(2026, 9, 20, 14), at(2026, 10, 19, 14))).toEqual([21, 26, 31, 5, 10, 15].map((day) => `day ${day}`))
})

it('labels round hours and the midnight of a day', () => {
  expect(labels(at(2026, 10, 18, 14, 20), at(2026, 10, 19, 14, 20))).toEqual([
    '15:00',
    '18:00',
    '21:00',
    'day 19',
    '3:00',
    '6:00',
    '9:00',
    '12:00',
  ])
})

it('labels round minutes of an hour', () => {
  expect(labels(at(2026, 10, 19, 14, 3), at(2026, 10, 19, 15, 3))).toEqual([
    '14:10',
    '14:20',
    '14:30',
    '14:40',
    '14:50',
    '15:00',
  ])
})
