import { NO_TOKENS } from '@tidegate/contract'
import {
  array,
  assert,
  base64String,
  boolean,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  option,
  property,
  record,
  string,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../registry.ts'
import {
  type CanonicalRequest,
  type Message,
  type Part,
  type ResponseContext,
  type Signature,
  type ToolChoice,
} from './index.ts'

const PROTOCOLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini-generate',
  'gemini-interactions',
] as const
type Protocol = (typeof PROTOCOLS)[number]
const PAIRS = PROTOCOLS.flatMap((client) => PROTOCOLS.map((provider) => ({ client, provider })))

/** More on demand. */
const runs = Number(process.env.FUZZ_RUNS ?? 40)

const text = string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((words) => `said ${words}`)
  .filter((words) => words.trim() === words)
const args = dictionary(string({ unit: 'grapheme', minLength: 1, maxLength: 4 }), jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
}).map((value) => JSON.stringify({ id: 0, ...value }).replace('"id":0', '"id":1152921504606846976'))
const image = base64String({ minLength: 4, maxLength: 40 }).filter((data) => data.length % 4 === 0)
const turn = record({
  question: text,
  image: option(image, { nil: undefined }),
  thought: option(text, { nil: undefined }),
  reply: option(text, { nil: undefined }),
  calls: array(record({ args, result: text, isError: boolean() }), { minLength: 1, maxLength: 3 }),
})
type Turn = typeof turn extends { generate(...rest: never[]): { value: infer Value } } ? Value : never
const turns = array(turn, { minLength: 1, maxLength: 3 })
const options = record({
  maxTokens: integer({ min: 2048, max: 9000 }),
  stop: option(text, { nil: undefined }),
  system: option(text, { nil: undefined }),
  choice: constantFrom<ToolChoice>('auto', 'none', 'required', { name: 'tide_1' }),
})

const TOOLS: CanonicalRequest['tools'] = [1, 2].map((number) => ({
  type: 'function',
  name: `tide_${number}`,
  description: 'The tide',
  parameters: { type: 'object', properties: { port: { type: 'string' } } },
}))

interface Said {
  readonly question: readonly Part[]
  readonly response: readonly Part[]
  readonly results: readonly Part[]
}

function partsOf({ question, image: data, thought, reply, calls }: Turn, at: number, signedBy?: Protocol): Said {
  const signature = (name: string): Signature => ({
    dialect: signedBy!,
    value: Buffer.from(`${name} ${at}`).toString('base64'),
    ...(signedBy === 'openai-responses' && { id: `rs_${at}` }),
  })
  const source = { kind: 'base64', mediaType: 'image/png', data: data ?? '' } as const
  return {
    question: [{ type: 'text', text: question }, ...(data === undefined ? [] : [{ type: 'image', source } as const])],
    response: [
      ...(thought === undefined || !signedBy
        ? []
        : [{ type: 'thinking', text: thought, signature: signature('thought') } as const]),
      ...(reply === undefined ? [] : [{ type: 'text', text: reply } as const]),
      ...calls.map((call, number): Part => ({
        type: 'tool-call',
        id: `call_${at}_${number}`,
        name: `tide_${(number % 2) + 1}`,
        arguments: call.args,
      })),
    ],
    results: calls.map(({ result, isError }, number): Part => ({
      type: 'tool-result',
      callId: `call_${at}_${number}`,
      name: `tide_${(number % 2) + 1}`,
      content: [{ type: 'text', text: result }],
      ...(isError && { isError }),
    })),
  }
}

/** The content of messages in a form that does not depend on how a protocol divides them. */
function contentOf(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, parts }) =>
    parts.map((part) => {
      switch (part.type) {
        case 'text':
          return `${role}: ${part.text}`
        case 'image':
          return `${role}: ${part.source.kind === 'base64' ? part.source.data : part.source.kind}`
        case 'thinking':
          return `thought ${part.text} ${part.signature?.value}`
        case 'tool-call':
          return `call ${part.id} ${part.name} ${part.arguments}`
        case 'tool-result': {
          const [content] = part.content
          const shown = content?.type === 'text' ? content.text : ''
          const isError = part.isError === true || shown.startsWith('Error: ')
          return `result ${part.callId} ${shown.replace(/^Error: /, '')}${isError ? ' (failed)' : ''}`
        }
        default:
          return part.type
      }
    }),
  )
}

function decode(protocol: Protocol, body: object): CanonicalRequest {
  const dialect = DIALECTS[protocol]
  return dialect.decodeRequest(dialect.readRequest(JSON.stringify(body), { model: 'm' }))
}

/** What the provider reads of a request that a client sends in its protocol. */
function send(client: Protocol, provider: Protocol, body: object): CanonicalRequest {
  return decode(provider, DIALECTS[provider].encodeRequest(decode(client, body)))
}

describe.each(PAIRS)('any request of $client', ({ client, provider }) => {
  it(`reaches a provider of ${provider} with its texts, images, calls and results`, () => {
    assert(
      property(turns, options, (said, { maxTokens, stop, system, choice }) => {
        const messages = said.flatMap((one, at): Message[] => {
          const { question, response, results } = partsOf(one, at)
          return [
            { role: 'user', parts: question },
            { role: 'assistant', parts: response },
            { role: 'user', parts: results },
          ]
        })
        const request: CanonicalRequest = {
          model: 'm',
          stream: false,
          messages: [
            ...(system === undefined ? [] : [{ role: 'system', parts: [{ type: 'text', text: system }] } as const]),
            ...messages,
          ],
          tools: TOOLS,
          toolChoice: choice,
          maxTokens,
          ...(stop !== undefined && { stop: [stop] }),
        }

        const read = send(client, provider, DIALECTS[client].encodeRequest(request))

        expect(contentOf(read.messages)).toEqual(contentOf(request.messages))
        expect(read.maxTokens).toBe(maxTokens)
        expect(read.toolChoice ?? 'auto').toEqual(choice)
        expect(read.tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
        const hasStop = client !== 'openai-responses' && provider !== 'openai-responses'
        expect(read.stop).toEqual(stop === undefined || !hasStop ? undefined : [stop])
      }),
      { numRuns: runs },
    )
  })
})

const context: ResponseContext = {
  requestId: 'r',
  model: 'm',
  createdAt: 1,
  includeUsage: true,
  request: { model: 'm', stream: false, messages: [], tools: [], reasoning: { visible: true } },
}

/** The next request of a client that sends a response back as it received it. */
// oxlint-disable-next-line typescript/no-explicit-any -- responses of any protocol
const CONTINUE: Record<Protocol, (request: any, response: any) => object> = {
  'openai-chat': ({ messages: [asked, , ...rest] }, { choices: [{ message }] }) => ({
    model: 'm',
    messages: [asked, message, ...rest],
  }),
  'openai-responses': ({ input }, { output }) => ({ model: 'm', input: around(input, output, 'function_call') }),
  'anthropic-messages': ({ messages: [asked, , ...rest] }, { content }) => ({
    model: 'm',
    max_tokens: 9000,
    messages: [asked, { role: 'assistant', content }, ...rest],
  }),
  'gemini-generate': ({ contents: [asked, , ...rest] }, { candidates: [{ content }] }) => ({
    contents: [asked, content, ...rest],
  }),
  'gemini-interactions': ({ input }, { steps }) => ({ model: 'm', input: around(input, steps, 'function_call') }),
}

/** The steps of a response instead of those of the model between the question and the results. */
function around(input: readonly { type: string }[], output: readonly object[], last: string): object[] {
  return [input[0]!, ...output, ...input.slice(input.findLastIndex(({ type }) => type === last) + 1)]
}

const SIGNING = ['openai-responses', 'anthropic-messages', 'gemini-generate', 'gemini-interactions'] as const
const SIGNED_PAIRS = SIGNING.flatMap((provider) => PROTOCOLS.map((client) => ({ client, provider })))

describe.each(SIGNED_PAIRS)('a client of $client', ({ client, provider }) => {
  it(`sends a response of ${provider} back, with its signed thoughts and exact arguments`, () => {
    assert(
      property(turn, (said) => {
        const { question, response, results } = partsOf(said, 1, provider)
        const messages: Message[] = [
          { role: 'user', parts: question },
          { role: 'assistant', parts: response },
          { role: 'user', parts: results },
        ]
        const written = DIALECTS[client].encodeResponse({ parts: response }, NO_TOKENS, context)
        const base = DIALECTS[client].encodeRequest({ model: 'm', stream: false, messages, tools: TOOLS })

        const read = send(client, provider, CONTINUE[client](JSON.parse(JSON.stringify(base)), written))

        expect(contentOf(read.messages)).toEqual(contentOf(messages))
      }),
      { numRuns: runs },
    )
  })
})
