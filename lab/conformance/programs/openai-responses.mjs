import OpenAI from 'openai'
import {
  image,
  job,
  main,
  requireChunks,
  runTool,
  show,
  showModels,
  showTokens,
  streams,
  thinks,
  TOOLS,
  usesTools,
} from './job.mjs'

const client = new OpenAI({ baseURL: `${job.url}/v1`, apiKey: job.key })
const { model, prompt } = job

await main({ chat, countTokens, listModels })

async function chat() {
  const picture = () => ({ type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${image()}` })
  const parts = [{ type: 'input_text', text: prompt }, ...(job.feature === 'image' ? [picture()] : [])]
  let input = [{ role: 'user', content: parts }]
  let previous
  for (;;) {
    const response = await send(input, previous)
    for (const item of response.output) {
      if (item.type === 'reasoning') for (const { text } of item.summary) show(text)
    }
    if (response.output_text) show(response.output_text)
    const calls = response.output.filter(({ type }) => type === 'function_call')
    if (calls.length === 0) return
    const outputs = calls.map(({ call_id, name, arguments: given }) => ({
      type: 'function_call_output',
      call_id,
      output: runTool(name, JSON.parse(given)),
    }))
    // Without storage the whole conversation is sent again, with stored responses only what is new.
    if (thinks) input.push(...response.output, ...outputs)
    else [input, previous] = [outputs, response.id]
  }
}

async function send(input, previous) {
  const tools = usesTools && { tools: TOOLS.map((tool) => ({ type: 'function', strict: true, ...tool })) }
  const reasoning = thinks && {
    reasoning: { effort: 'medium', summary: 'auto' },
    store: false,
    include: ['reasoning.encrypted_content'],
  }
  const session = job.feature === 'affinity' && { prompt_cache_key: prompt }
  const request = {
    model,
    input,
    ...session,
    ...tools,
    ...reasoning,
    ...(previous && { previous_response_id: previous }),
  }
  if (!streams) return await client.responses.create(request)
  const stream = client.responses.stream(request)
  let chunks = 0
  stream.on('response.output_text.delta', () => (chunks += 1))
  const response = await stream.finalResponse()
  requireChunks(chunks)
  if (!(response.usage?.total_tokens > 0)) throw new Error('the stream has no usage')
  return response
}

async function countTokens() {
  showTokens((await client.responses.inputTokens.count({ model, input: prompt })).input_tokens)
}

async function listModels() {
  const { id } = await client.models.retrieve(model)
  showModels([id])
}
