import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  claudeCodeSnippets,
  codexSnippets,
  geminiCliSnippets,
  opencodeSnippets,
  type AgentSetup,
} from '../../apps/console/src/features/tokens/connect/agent-snippets.ts'
import { shellQuote } from '../../apps/console/src/components/code-samples.ts'
import type { Snippet } from '../../apps/console/src/features/tokens/connect/snippets.ts'
import type { Client, Job } from './client.ts'
import { CHANNELS, type Feature } from './features.ts'
import { IMAGE_FILE } from './scripted-model.ts'
import { runProgram, type ProgramResult } from './run-program.ts'

interface Agent {
  readonly id: string
  readonly name: string
  readonly package: string
  /** The command of its package, which is also the last line of its configuration. */
  readonly command: string
  readonly snippets: (setup: AgentSetup) => Snippet[]
  /** Types of channels whose models send thoughts only if the client asks, which it does not. */
  readonly hidesThoughtsOf: readonly string[]
  /** The text of the model in a line of its output; by default the whole line. */
  readonly textIn?: (event: OutputEvent) => string
  /** It compacts only between two prompts of a session, and a run has one prompt. */
  readonly compactsBetweenPrompts?: true
  /** Arguments of a run without a terminal that may use all tools. */
  args(job: Job): string[]
  readonly env?: Readonly<Record<string, string>>
  /** The files of its configuration replace the variables, as the console says. */
  readonly filesReplaceVariables?: true
}

interface OutputEvent {
  readonly type?: string
  readonly role?: string
  readonly content?: unknown
}

const FEATURES: readonly Feature[] = [
  'text',
  'stream',
  'tools',
  'session',
  'compaction',
  'thinking',
  'image',
  'affinity',
  'unknownModel',
  'invalidKey',
  'noBalance',
]

const AGENTS: readonly Agent[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    command: 'claude',
    snippets: claudeCodeSnippets,
    hidesThoughtsOf: [],
    args: ({ prompt }) => [
      '--print',
      '--verbose',
      '--output-format',
      'stream-json',
      '--allowedTools',
      'Bash,Read,Write,Edit',
      '--',
      prompt,
    ],
    env: { DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    filesReplaceVariables: true,
  },
  {
    id: 'codex',
    name: 'Codex CLI',
    package: '@openai/codex',
    command: 'codex',
    snippets: codexSnippets,
    hidesThoughtsOf: ['openai-responses'],
    args: ({ prompt, feature, imagePath }) => [
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      ...(feature === 'image' ? ['--image', imagePath] : []),
      '--',
      prompt,
    ],
  },
  {
    id: 'opencode',
    name: 'opencode',
    package: 'opencode-ai',
    command: 'opencode',
    snippets: opencodeSnippets,
    hidesThoughtsOf: ['openai-responses', 'gemini', 'vertex-gemini'],
    args: ({ prompt, feature, imagePath }) => [
      'run',
      '--format',
      'json',
      '--thinking',
      '--auto',
      ...(feature === 'thinking' ? ['--variant', 'high'] : []),
      ...(feature === 'image' ? ['--file', imagePath] : []),
      '--',
      prompt,
    ],
    env: { OPENCODE_DISABLE_AUTOUPDATE: 'true', OPENCODE_DISABLE_MODELS_FETCH: 'true' },
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    command: 'gemini',
    compactsBetweenPrompts: true,
    snippets: geminiCliSnippets,
    // It shows thoughts in a terminal only.
    hidesThoughtsOf: CHANNELS.map(({ id }) => id),
    args: ({ prompt, feature }) => [
      '--yolo',
      '--skip-trust',
      '--output-format',
      'stream-json',
      '--prompt',
      feature === 'image' ? `${prompt} @${IMAGE_FILE}` : prompt,
    ],
    env: { GEMINI_TELEMETRY_ENABLED: 'false' },
    // One line per delta.
    textIn: ({ role, content }) => (role === 'assistant' && typeof content === 'string' ? content : ''),
  },
]

export const AGENT_CLIENTS: readonly Client[] = AGENTS.map((agent) => ({
  id: agent.id,
  name: agent.name,
  kind: 'agent',
  packages: [agent.package],
  features: FEATURES.filter((feature) => feature !== 'compaction' || !agent.compactsBetweenPrompts),
  showsThoughts: (channel) => !agent.hidesThoughtsOf.includes(channel),
  shownText: (output) => shownText(agent, output),
  run: (job) => runAgent(agent, job),
}))

function shownText({ textIn }: Agent, output: string): string {
  if (textIn === undefined) return output
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => textIn(JSON.parse(line) as OutputEvent)).join('')
}

/** Runs an agent with exactly the texts that the Connect dialog shows for it. */
async function runAgent(agent: Agent, job: Job): Promise<ProgramResult> {
  const { url, key, model, models, home, directory } = job
  const snippets = agent
    .snippets({ connection: { address: url, key, model }, models, site: 'Tidegate' })
    .filter(({ shell }) => shell === undefined || shell === 'macOS / Linux')
  const files = snippets.filter(({ shell }) => shell === undefined)
  // Where the dialog offers a file or variables, every other run uses the file.
  const isAlternative = agent.filesReplaceVariables === true
  const usesFiles = !isAlternative || job.feature !== 'text'
  for (const { place, text } of usesFiles ? files : []) {
    const path = place.startsWith('~/') ? join(home, place.slice(2)) : join(directory, place)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const script = isAlternative && usesFiles ? agent.command : snippets.find(({ shell }) => shell !== undefined)!.text
  return await runProgram({
    file: '/bin/bash',
    args: ['-c', script],
    directory,
    env: {
      PATH: `${await commandFolder(agent, job)}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      TERM: 'dumb',
      NO_COLOR: '1',
      ...agent.env,
    },
    limitMs: job.limitMs,
  })
}

/** The last line of the shell text is the command without arguments. This command adds those of the run. */
async function commandFolder(agent: Agent, job: Job): Promise<string> {
  const folder = join(job.home, 'bin')
  await mkdir(folder, { recursive: true })
  const program = join(job.clients, 'node_modules/.bin', agent.command)
  const path = join(folder, agent.command)
  await writeFile(path, `#!/bin/sh\nexec ${[program, ...agent.args(job)].map(shellQuote).join(' ')} "$@"\n`)
  await chmod(path, 0o755)
  return folder
}
