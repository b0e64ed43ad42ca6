import { randomBytes } from 'node:crypto'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sdkSnippets } from '../../apps/console/src/features/tokens/connect/snippets.ts'
import type { Client, Job } from './client.ts'
import type { Feature } from './features.ts'
import { runProgram, type ProgramResult } from './run-program.ts'

const CHAT: readonly Feature[] = [
  'text',
  'stream',
  'tools',
  'session',
  'thinking',
  'image',
  'unknownModel',
  'invalidKey',
  'noBalance',
]
const AI_SDK_PACKAGES = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'compatible',
}

interface Sdk {
  readonly id: string
  readonly name: string
  readonly packages: readonly string[]
  readonly program: string
  /** For the AI SDK: its provider package. */
  readonly provider?: string
  readonly features: readonly Feature[]
  /** Its program in the Connect dialog, which is run for the feature `text`. */
  readonly snippet?: string
}

const SDKS: readonly Sdk[] = [
  {
    id: 'openai-sdk-chat',
    name: 'OpenAI SDK, Chat Completions',
    packages: ['openai'],
    program: 'openai-chat.mjs',
    snippet: 'OpenAI · TypeScript',
    features: [...CHAT, 'affinity', 'modelList'],
  },
  {
    id: 'openai-sdk-responses',
    name: 'OpenAI SDK, Responses',
    packages: ['openai'],
    program: 'openai-responses.mjs',
    features: [...CHAT, 'affinity', 'countTokens', 'modelList'],
  },
  {
    id: 'anthropic-sdk',
    name: 'Anthropic SDK',
    packages: ['@anthropic-ai/sdk'],
    program: 'anthropic.mjs',
    snippet: 'Anthropic · TypeScript',
    features: [...CHAT, 'countTokens', 'modelList'],
  },
  {
    id: 'google-genai',
    name: 'Google Gen AI SDK',
    packages: ['@google/genai'],
    program: 'google-genai.mjs',
    snippet: 'Google Gen AI · TypeScript',
    features: [...CHAT, 'countTokens', 'modelList'],
  },
  {
    id: 'google-interactions',
    name: 'Google Gen AI SDK, Interactions',
    packages: ['@google/genai'],
    program: 'google-interactions.mjs',
    features: CHAT,
  },
  ...Object.entries(AI_SDK_PACKAGES).map(([provider, name]) => ({
    id: `ai-sdk-${provider}`,
    name: `Vercel AI SDK, ${name}`,
    packages: ['ai', `@ai-sdk/${provider}`],
    program: 'ai-sdk.mjs',
    provider,
    features: CHAT,
    ...(provider === 'openai-compatible' && { snippet: 'Vercel AI SDK · TypeScript' }),
  })),
]

export const SDK_CLIENTS: readonly Client[] = SDKS.map((sdk) => ({
  id: sdk.id,
  name: sdk.name,
  kind: 'sdk',
  packages: sdk.packages,
  features: sdk.features,
  // The AI SDK asks only models of OpenAI by the Responses API.
  showsThoughts: (channel) => sdk.provider !== 'openai' || !channel.includes('gemini'),
  shownText: (output) => output,
  run: (job) => runSdk(sdk, job),
}))

/** Programs find the packages in the folder that they are copied to. */
export const copyPrograms = (folder: string) =>
  cp(fileURLToPath(new URL('./programs', import.meta.url)), join(folder, 'programs'), { recursive: true })

async function runSdk(sdk: Sdk, job: Job): Promise<ProgramResult> {
  const { feature, url, key, model, prompt, directory, imagePath, home } = job
  const { provider } = sdk
  return await runProgram({
    file: process.execPath,
    args: [await programOf(sdk, job)],
    directory,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      CONFORMANCE_JOB: JSON.stringify({ feature, url, key, model, prompt, directory, imagePath }),
      ...(provider !== undefined && { CONFORMANCE_PROVIDER: provider }),
    },
    limitMs: job.limitMs,
  })
}

/** The text of the Connect dialog where it has one for this run, else our own program. */
async function programOf(
  { program, snippet }: Sdk,
  { feature, url, key, model, prompt, clients }: Job,
): Promise<string> {
  if (snippet === undefined || feature !== 'text') return join(clients, 'programs', program)
  const { text } = sdkSnippets({ address: url, key, model }, prompt).find(({ place }) => place === snippet)!
  // Beside the other programs, where it finds the packages.
  const path = join(clients, 'programs', `snippet-${randomBytes(6).toString('hex')}.mjs`)
  await writeFile(path, text)
  return path
}
