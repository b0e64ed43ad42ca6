import { GoogleGenAI } from '@google/genai'
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

const client = new GoogleGenAI({ apiKey: job.key, httpOptions: { baseUrl: job.url } })
const { model, prompt } = job

await main({ chat, countTokens, listModels })

async function chat() {
  const picture = job.feature === 'image' ? [{ inlineData: { mimeType: 'image/png', data: image() } }] : []
  const contents = [{ role: 'user', parts: [{ text: prompt }, ...picture] }]
  for (;;) {
    const parts = await send(contents)
    contents.push({ role: 'model', parts })
    for (const { text } of parts.filter(({ thought }) => thought)) show(text)
    show(parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''))
    const calls = parts.flatMap(({ functionCall: call }) => call ?? [])
    if (calls.length === 0) return
    const results = calls.map(({ id, name, args }) => ({
      functionResponse: { id, name, response: { output: runTool(name, args) } },
    }))
    contents.push({ role: 'user', parts: results })
  }
}

async function send(contents) {
  const functionDeclarations = TOOLS.map(({ name, description, parameters: parametersJsonSchema }) => ({
    name,
    description,
    parametersJsonSchema,
  }))
  const config = {
    ...(usesTools && { tools: [{ functionDeclarations }] }),
    ...(thinks && { thinkingConfig: { includeThoughts: true } }),
  }
  if (!streams) return (await client.models.generateContent({ model, contents, config })).candidates[0].content.parts
  const parts = []
  let chunks = 0
  let usage
  for await (const chunk of await client.models.generateContentStream({ model, contents, config })) {
    chunks += 1
    usage = chunk.usageMetadata ?? usage
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
  }
  requireChunks(chunks)
  if (!(usage?.totalTokenCount > 0)) throw new Error('the stream has no usage')
  return parts
}

async function countTokens() {
  showTokens((await client.models.countTokens({ model, contents: prompt })).totalTokens)
}

async function listModels() {
  const names = []
  for await (const { name } of await client.models.list()) names.push(name.replace('models/', ''))
  showModels(names)
}
