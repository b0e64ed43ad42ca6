import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPart } from '../../test/render-part.tsx'
import { HealthStrip, type HealthPart } from './health-strip.tsx'

const part = (succeeded: number, failed: number, time = 0): HealthPart => ({ time, succeeded, failed, averageMs: 100 })
const show = (parts: HealthPart[], isFailing?: boolean) =>
  renderPart(<HealthStrip label="健康度" parts={parts} {...(isFailing !== undefined && { isFailing })} />).container

it('draws the failures of a bar on top of its successes', () => {
  const view = show([part(3, 1), part(4, 0, 300), part(0, 0, 600)])

  const bars = [...view.querySelectorAll('g')].map((bar) =>
    [...bar.querySelectorAll('rect')].map(({ dataset, attributes }) => [
      dataset.part,
      Number(attributes.getNamedItem('height')!.value),
    ]),
  )
  expect(bars).toEqual([
    [
      ['succeeded', 13.5],
      ['failed', 4.5],
    ],
    [['succeeded', 18]],
    [['idle', 18]],
  ])
})

it('is red where the row is failing', () => {
  expect(show([part(7, 2)], true).querySelector('[data-failing]')?.textContent).toBe('77.7%')
})

it('is not red in a healthy row, and by itself only from three failures on', () => {
  expect(show([part(7, 2)], false).querySelector('[data-failing]')).toBeNull()
  expect(show([part(7, 2)]).querySelector('[data-failing]')).toBeNull()
  expect(show([part(7, 3)]).querySelector('[data-failing]')).not.toBeNull()
})

it('says that there was no traffic', () => {
  show([part(0, 0)])

  expect(screen.getByText('无流量').title).toBe('最近一小时没有请求')
})
