import type { OptionFacts } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { EntryChanges } from './entry-changes.tsx'
import { InlineChange } from './inline-change.tsx'
import { LineChanges } from './line-changes.tsx'
import { useValueWords } from './use-value-words.ts'
import { targetsByName } from './targets-by-name.ts'
import { diffValues } from './value-diff.ts'

interface Props {
  optionKey: string
  facts: OptionFacts | undefined
  before: string
  after: string
}

/** From what to what: in one line where it is short, by entries or line by line where it is not. */
export function ValueChange({ optionKey, facts, before, after }: Props) {
  const kind = facts?.kind ?? 'text'
  const read = optionKey === 'global_model_mapping' ? targetsByName : asItIs
  const diff = useMemo(() => diffValues(kind, read(before), read(after)), [kind, read, before, after])
  const words = useValueWords(optionKey, kind)
  if (diff.shape === 'entries') return <EntryChanges entries={diff.entries} />
  if (diff.shape === 'lines') return <LineChanges lines={diff.lines} />
  return <InlineChange before={words(diff.before)} after={words(diff.after)} />
}

const asItIs = (text: string): string => text
