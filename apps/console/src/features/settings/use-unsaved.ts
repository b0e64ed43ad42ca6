import { useCallback, useState } from 'react'
import type { SectionId } from './sections/index.ts'

/** Which sections have changes that are not saved. */
export function useUnsaved() {
  const [unsaved, setUnsaved] = useState<ReadonlySet<SectionId>>(new Set())
  const onUnsaved = useCallback(
    (id: SectionId, isUnsaved: boolean) =>
      setUnsaved((before) => {
        if (before.has(id) === isUnsaved) return before
        const others = [...before].filter((other) => other !== id)
        return new Set(isUnsaved ? [...others, id] : others)
      }),
    [],
  )
  return { unsaved, onUnsaved }
}
