import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPart } from '../../../test/render-part.tsx'
import { aLog } from '../../../test/sample-log.ts'
import { receiptOf } from './receipt.ts'
import { ReceiptTable } from './receipt-table.tsx'

/** The amounts of the rows in millionths of a dollar. */
function amounts(): number[] {
  const rows = within(screen.getByRole('table')).getAllByRole('row')
  const texts = rows.map((row) => within(row).getAllByRole('cell').at(-1)!.textContent)
  return texts.filter((text) => text !== '').map((text) => Math.round(Number(text.replace('$', '')) * 1_000_000))
}

it('shows lines that add up to the shown sum, although each is rounded', () => {
  // 2.5, 2.5 and 2.45 millionths of a dollar: rounded one by one, the lines are one more than their sum.
  const other = {
    group_ratio: 1,
    lines: [
      ['input', 2, 625_000],
      ['cacheRead', 10, 125_000],
      ['output', 1, 1_225_000],
    ],
  }
  const receipt = receiptOf(aLog(other, { quota: 4, prompt_tokens: 12, completion_tokens: 1 }))!
  renderPart(<ReceiptTable receipt={receipt} />)

  const [input, cached, output, sum, exact, total] = amounts()
  expect([input, cached, output]).toEqual([3, 3, 1])
  expect([sum, exact, total]).toEqual([7, 7, 8])
})
