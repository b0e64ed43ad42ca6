import { expect, it } from 'vitest'
import { statementCsv } from './statement-csv.ts'

const line = {
  created_at: 1_700_000_000,
  kind: 'top_up',
  amount: 750_000,
  balance: 1_000_000,
  reference: 'USR1NO1',
  requests: 0,
  actor_id: 0,
  actor: '',
}

it('writes points and their value', () => {
  expect(statementCsv([line], { QuotaPerUnit: 500_000 }).split('\r\n')[1]).toBe(
    '2023-11-14T22:13:20.000Z,top_up,750000,1.500000,1000000,2.000000,0,USR1NO1,',
  )
})

it('writes negative amounts as numbers', () => {
  expect(statementCsv([{ ...line, amount: -500_000 }], { QuotaPerUnit: 500_000 })).toContain(',-500000,-1.000000,')
})

it.each([
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['+1-2', `'+1-2`],
  ['@sum', `'@sum`],
  ['a,b', '"a,b"'],
])('writes %s without formulas or extra columns', (actor, cell) => {
  expect(statementCsv([{ ...line, actor }], { QuotaPerUnit: 500_000 })).toContain(`,USR1NO1,${cell}\r\n`)
})
