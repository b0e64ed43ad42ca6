import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { image, job, main, requireChunks, runTool, show, streams, thinks, TOOLS, usesTools } from './job.mjs'

const { url, key: apiKey } = job

/** One program for every provider package of the AI SDK. */
const PROVIDERS = {
  openai: () => [
    createOpenAI({ baseURL: `${url}/v1`, apiKey })(job.model),
    { openai: { reasoningEffort: 'medium', reasoningSummary: 'auto' } },
  ],
  anthropic: () => [
    createAnthropic({ baseURL: `${url}/v1`, apiKey })(job.model),
    { anthropic: { thinking: { type: 'adaptive', display: 'summarized' } } },
  ],
  google: () => [
    createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })(job.model),
    { google: { thinkingConfig: { includeThoughts: true } } },
  ],
  'openai-compatible': () => [
    createOpenAICompatible({ name: 'gateway', baseURL: `${url}/v1`, apiKey, includeUsage: true })(job.model),
    { gateway: { reasoning: { effort: 'medium', exclude: false } } },
  ],
}

await main({ chat })

async function chat() {
  const [model, providerOptions] = PROVIDERS[process.env.CONFORMANCE_PROVIDER]()
  const tools = Object.fromEntries(
    TOOLS.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters), execute: (given) => runTool(name, given) }),
    ]),
  )
  const picture = job.feature === 'image' ? [{ type: 'image', image: image(), mediaType: 'image/png' }] : []
  const options = {
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: job.prompt }, ...picture] }],
    stopWhen: stepCountIs(20),
    ...(usesTools && { tools }),
    ...(thinks && { providerOptions }),
  }
  const steps = streams ? await stream(options) : (await generateText(options)).steps
  for (const { reasoningText, text } of steps) {
    if (reasoningText) show(reasoningText)
    show(text)
  }
}

async function stream(options) {
  let failure
  const result = streamText({ ...options, onError: ({ error }) => (failure = error) })
  let chunks = 0
  for await (const text of result.textStream) if (text) chunks += 1
  if (failure) throw failure
  requireChunks(chunks)
  if (!((await result.totalUsage).totalTokens > 0)) throw new Error('the stream has no usage')
  return await result.steps
}
