import { apiReference } from './api-reference.ts'
import { errorReference } from './error-reference.ts'
import { optionReference } from './option-reference.ts'

/** Pages made from the contract, by their path. */
export const REFERENCES: Readonly<Record<string, () => string>> = {
  'docs/reference/api.md': apiReference,
  'docs/reference/errors.md': errorReference,
  'docs/reference/options.md': optionReference,
}
