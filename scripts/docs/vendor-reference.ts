import { api } from '@tidegate/contract'
import { CHANNEL_TYPES, type OperationId, type Provider } from '@tidegate/providers'
import { code, table } from './table.ts'

/** What is asked of vendors, in the order of the columns. */
const COLUMNS: readonly [title: string, operations: readonly OperationId[]][] = [
  ['Embeddings', ['embeddings']],
  ['Rerank', ['rerank']],
  ['Images', ['image-generation']],
  ['Image edits', ['image-edit', 'image-variation']],
  ['Speech', ['speech']],
  ['Listening', ['transcription', 'translation']],
  ['Moderation', ['moderations']],
  ['Realtime', ['realtime']],
]

/** Every type of channel, whom it leads to, and what can be asked there. */
export function vendorReference(): string {
  const types = api.CHANNEL_TYPE_LIST
  const served = types.filter(({ type }) => CHANNEL_TYPES.has(type))
  const missing = types.filter(({ type }) => !CHANNEL_TYPES.has(type))
  return [
    '# Vendors',
    '',
    'Made from the records in `packages/providers/src` by `npm run docs:write`. A type that is of the past is kept for channels',
    'that have it and not offered for new ones. Calls a vendor does not have are refused before anything is reserved.',
    '',
    table(
      ['Type', 'Vendor', 'Conversations in', ...COLUMNS.map(([title]) => title), 'Model list', 'Balance'],
      served.map(({ type, name, legacy }) =>
        rowOf(type, legacy ? `${name} (of the past)` : name, CHANNEL_TYPES.get(type)!),
      ),
    ),
    '',
    '## Not served yet',
    '',
    table(
      ['Type', 'Vendor', 'What a channel of it does'],
      missing.map(({ type, name, legacy }) => [
        String(type),
        name,
        legacy ? "is talked to in OpenAI's words" : 'cannot be made',
      ]),
    ),
    '',
  ].join('\n')
}

function rowOf(
  type: number,
  name: string,
  { conversations = [], operations = {}, modelList, balance }: Provider,
): string[] {
  return [
    String(type),
    name,
    conversations.map(({ dialect }) => code(dialect)).join(', '),
    ...COLUMNS.map(([, wanted]) => mark(wanted.some((id) => operations[id]))),
    mark(modelList !== undefined),
    mark(balance !== undefined),
  ]
}

const mark = (has: boolean) => (has ? 'yes' : '')
