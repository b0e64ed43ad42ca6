import OpenAI from 'openai'
import {
  image,
  job,
  main,
  requireChunks,
  runTool,
  show,
  showModels,
  streams,
  thinks,
  TOOLS,
  usesTools,
} from './job.mjs'

const client = new OpenAI({ baseURL: `${job.url}/v1`, apiKey: job.key })
const { model, prompt } = job

await main({ chat, listModels })

async function chat() {
  const url = () => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${image()}` } })
  const content = job.feature === 'image' ? [{ type: 'text', text: prompt }, url()] : prompt
  const messages = [{ role: 'user', content }]
  for (;;) {
    const message = await send(messages)
    messages.push(message)
    if (message.reasoning_content) show(message.reasoning_content)
    if (message.content) show(message.content)
    if (!message.tool_calls?.length) return
    for (const { id, function: call } of message.tool_calls) {
      messages.push({ role: 'tool', tool_call_id: id, content: runTool(call.name, JSON.parse(call.arguments)) })
    }
  }
}

async function send(messages) {
  const tools = usesTools && { tools: TOOLS.map((tool) => ({ type: 'function', function: tool })) }
  const session = job.feature === 'affinity' && { prompt_cache_key: prompt }
  const request = {
    model,
    messages,
    ...session,
    ...tools,
    ...(thinks && { reasoning: { effort: 'medium', exclude: false } }),
  }
  if (!streams) return (await client.chat.completions.create(request)).choices[0].message
  const stream = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } })
  let chunks = 0
  stream.on('content', () => (chunks += 1))
  const completion = await stream.finalChatCompletion()
  requireChunks(chunks)
  if (!(completion.usage?.total_tokens > 0)) throw new Error('the stream has no usage')
  const { role, content, tool_calls: calls } = completion.choices[0].message
  const plain = calls?.map(({ id, type, function: { name, arguments: given } }) => ({
    id,
    type,
    function: { name, arguments: given },
  }))
  return { role, content, ...(plain?.length && { tool_calls: plain }) }
}

async function listModels() {
  const names = []
  for await (const { id } of client.models.list()) names.push(id)
  showModels(names)
}
