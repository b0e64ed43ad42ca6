import { workerDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DatabaseHandle } from './connect.ts'
import { jsonText } from './values.ts'

let handle: DatabaseHandle
beforeAll(async () => {
  handle = await workerDatabase({ poolSize: 1 })
})
afterAll(() => handle.close())

it.each([
  ['NUL', 'a\0b', 'ab'],
  ['a literal NUL escape', String.raw`a\u0000b`, String.raw`a\u0000b`],
  ['a backslash and NUL', 'a\\\0b', 'a\\b'],
  ['backslashes and a literal NUL escape', String.raw`\\\u0000`, String.raw`\\\u0000`],
  ['a high surrogate', 'a\ud800b', 'a\ufffdb'],
  ['a low surrogate', 'a\udc00', 'a\ufffd'],
  ['a literal surrogate escape', String.raw`\ud800`, String.raw`\ud800`],
  ['a surrogate pair', '🌊', '🌊'],
  ['quotes', String.raw`"\"`, String.raw`"\"`],
])('stores %s', async (_, input, expected) => {
  const text = jsonText([{ text: input, inner: { [input]: input } }])
  const { rows } = await sql<{ text: string; inner: object }>`
    select text, inner_ as inner from json_to_recordset(${text.replaceAll('"inner":', '"inner_":')}::json)
      as s(text text, inner_ jsonb)`.execute(handle.db)

  expect(rows).toEqual([{ text: expected, inner: { [expected]: expected } }])
})
