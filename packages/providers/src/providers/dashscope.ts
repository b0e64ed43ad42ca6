import { asJsonObject, asList, asText, type JsonObject } from '@tidegate/dialects'
import { clamp } from '../openai-compatible/adapt.ts'
import { endpoint } from '../target.ts'
import { classifyOpenai } from '../openai-compatible/classify.ts'
import { openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'
import type { Operation, PollingContext } from '../operation.ts'
import { defineProvider } from '../provider.ts'
import { type FailureClass, UpstreamFailure } from '../upstream/failure.ts'

const HOME = 'https://dashscope.aliyuncs.com'

const base = openaiCompatibleProvider({
  id: 'dashscope',
  baseUrl: HOME,
  path: '/compatible-mode/v1/chat/completions',
  models: ['qwen-turbo', 'qwen-plus', 'qwen-max', 'qwen-max-longcontext', 'text-embedding-v1'],
  streamUsage: 'ask',
  authorize: ({ key, other }) => ({
    authorization: `Bearer ${key}`,
    ...(other && { 'x-dashscope-plugin': other }),
  }),
  adapt: (body) => clamp(body, 'top_p', { min: 0.001, max: 0.999 }),
  operations: ['embeddings'],
})

/** Alibaba's models in OpenAI-compatible mode; images have their own API. */
export const dashscope = defineProvider({
  ...base,
  operations: { ...base.operations, 'image-generation': dashscopeImages(HOME) },
  classify: classifyDashscope,
})

const POLL_MS = 3_000
const MAX_POLLS = 20

/** Submits an image task, polls it every few seconds, and returns OpenAI's format. */
function dashscopeImages(home: string): Operation {
  return {
    url: ({ baseUrl }) => endpoint(baseUrl || home, '/api/v1/services/aigc/text2image/image-synthesis'),
    encode: encodeImages,
    decode: ({ images }) => ({ created: Math.floor(Date.now() / 1000), data: images }),
    polling: {
      headers: { 'x-dashscope-async': 'enable' },
      async collect(submitted, context) {
        const { baseUrl } = context.target
        const id = encodeURIComponent(asText(asJsonObject(submitted.output)?.task_id))
        const output = await waitForTask(submitted, endpoint(baseUrl || home, `/api/v1/tasks/${id}`), context)
        return { images: await readImages(output, context) }
      },
    },
  }
}

/** Forwarded unchanged. */
const DASHSCOPE_PARAMETERS = ['seed', 'prompt_extend', 'watermark', 'ref_mode', 'ref_strength']

function encodeImages(body: JsonObject, { model }: { readonly model: string }): JsonObject {
  const { prompt, negative_prompt, n, size, style } = body
  const extra = DASHSCOPE_PARAMETERS.filter((name) => body[name] !== undefined).map((name) => [name, body[name]])
  return {
    model,
    input: { prompt, ...(negative_prompt !== undefined && { negative_prompt }) },
    parameters: {
      n: n ?? 1,
      ...(asText(size) !== '' && { size: asText(size).replace('x', '*') }),
      // DashScope's styles are in angle brackets; it does not know OpenAI's.
      ...(asText(style).startsWith('<') && { style }),
      ...Object.fromEntries(extra),
    },
  }
}

async function waitForTask(submitted: JsonObject, taskUrl: string, context: PollingContext): Promise<JsonObject> {
  let response = submitted
  for (let polls = 0; ; polls += 1) {
    const output = asJsonObject(response.output) ?? {}
    const status = asText(output.task_status)
    if (status === 'SUCCEEDED') return output
    if (status !== 'PENDING' && status !== 'RUNNING' && status !== 'SUSPENDED') throw taskFailure(response)
    if (polls === MAX_POLLS) throw taskTimeout()
    await context.pause(POLL_MS)
    response = (await poll(taskUrl, context)) ?? response
  }
}

/** A submitted task is billed, so one failed poll does not end it, unless the client disconnected. */
async function poll(taskUrl: string, context: PollingContext): Promise<JsonObject | undefined> {
  try {
    return await context.get(taskUrl)
  } catch (error) {
    if (!(error instanceof UpstreamFailure) || error.kind === 'aborted') throw error
    return undefined
  }
}

/** The images that succeeded; each of the others failed for its own reason. */
async function readImages(output: JsonObject, { body, fetch }: PollingContext): Promise<JsonObject[]> {
  const results = asList(output.results).map((result) => asJsonObject(result) ?? {})
  const succeeded = results.filter(({ url }) => asText(url) !== '')
  if (succeeded.length === 0) throw taskFailure({ output: results[0] ?? output })
  return Promise.all(
    succeeded.map(async ({ url, actual_prompt }) => ({
      ...(body.response_format === 'b64_json'
        ? { b64_json: Buffer.from(await fetch(asText(url))).toString('base64') }
        : { url }),
      ...(asText(actual_prompt) !== '' && { revised_prompt: actual_prompt }),
    })),
  )
}

/** Statuses by error code; errors of the server itself are not listed. */
const STATUS_OF_CODE: readonly [name: RegExp, status: number][] = [
  [/^InvalidApiKey/, 401],
  [/^Arrearage/, 402],
  [/^AccessDenied|\.AccessDenied$/, 403],
  [/^Throttling/, 429],
  [/^(InvalidParameter|InvalidURL|BadRequest|DataInspectionFailed|IPInfringementSuspect|ModelNotFound)/, 400],
]

/** A failed task, with the status that a synchronous API would have returned. */
function taskFailure(response: JsonObject): UpstreamFailure {
  const output = asJsonObject(response.output)
  const code = asText(output?.code) || asText(response.code)
  const message = asText(output?.message) || asText(response.message) || 'The upstream could not make the image.'
  const status = STATUS_OF_CODE.find(([name]) => name.test(code))?.[1] ?? 500
  return new UpstreamFailure({ kind: 'status', status, error: { message, type: 'upstream_error', code } })
}

/** The provider may still work on the task: another provider would bill it twice. */
function taskTimeout(): UpstreamFailure {
  return new UpstreamFailure({
    kind: 'status',
    status: 504,
    accepted: true,
    error: { message: 'The upstream did not finish the image in time.', type: 'upstream_error', code: 'task_timeout' },
  })
}

/** An overdue account is reported with a 400, by code or by message. */
function classifyDashscope(failure: UpstreamFailure): FailureClass {
  const { kind, error } = failure
  const hasResponse = kind === 'status' || kind === 'answer'
  const isOverdue = error.code === 'Arrearage' || /account is in good standing|overdue payment/i.test(error.message)
  return hasResponse && isOverdue ? 'credit' : classifyOpenai(failure)
}
