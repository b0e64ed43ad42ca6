import type { AgentModel } from '../../apps/console/src/features/tokens/connect/agent-snippets.ts'
import type { ChannelType, Feature } from './features.ts'
import type { ProgramResult } from './run-program.ts'

/** One run of a client: one feature on one channel. */
export interface Job {
  readonly feature: Feature
  readonly channel: ChannelType
  readonly url: string
  readonly key: string
  readonly model: string
  /** The models of the token. */
  readonly models: readonly AgentModel[]
  readonly prompt: string
  /** The working directory, with the files that the model asks for. */
  readonly directory: string
  /** A new home directory, so that runs share no state. */
  readonly home: string
  readonly imagePath: string
  /** Where the clients are installed. */
  readonly clients: string
  readonly limitMs: number
}

/** A program that people use, from npm. */
export interface Client {
  readonly id: string
  readonly name: string
  readonly kind: 'agent' | 'sdk'
  /** Packages whose versions the result has; the first one is the client. */
  readonly packages: readonly string[]
  readonly features: readonly Feature[]
  /** Whether it asks models on this type of channel for their thoughts, or gets them without asking, and shows them. */
  showsThoughts(channel: string): boolean
  /** The text of the model in the output. */
  shownText(output: string): string
  run(job: Job): Promise<ProgramResult>
}
