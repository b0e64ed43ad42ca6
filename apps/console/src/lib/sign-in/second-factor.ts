import { SecondFactorNeeded } from '@tidegate/contract/api'
import { CallError } from '../call-error.ts'

/** What a sign-in still asks for, when that is all its refusal says. */
export function secondFactorOf(error: unknown): SecondFactorNeeded | null {
  if (!(error instanceof CallError) || error.code !== 'second_factor_required') return null
  return SecondFactorNeeded.safeParse(error.data).data ?? null
}
