import { render } from 'katex'
import 'katex/dist/katex.min.css'
import { useLayoutEffect, useMemo, useRef, type ReactNode } from 'react'
import styles from './rich-content.module.css'

interface Props {
  tex: string
  isBlock: boolean
  /** Shown when the source cannot be read. */
  fallback: ReactNode
}

export default function Formula({ tex, isBlock, fallback }: Props) {
  const place = useRef<HTMLSpanElement>(null)
  const formula = useMemo(() => set(tex, isBlock), [tex, isBlock])
  useLayoutEffect(() => {
    if (formula) place.current!.replaceChildren(formula)
  }, [formula])
  return formula ? <span ref={place} className={isBlock ? styles.formulaBlock : styles.formula} /> : fallback
}

/** Links, pictures and styles in a formula stay off (`trust`); sizes and expansions end somewhere. */
const LIMITS = { trust: false, strict: 'ignore', throwOnError: true, maxExpand: 500, maxSize: 20 } as const

function set(tex: string, displayMode: boolean): HTMLElement | undefined {
  const formula = document.createElement('span')
  try {
    render(tex, formula, { displayMode, ...LIMITS })
    return formula
  } catch {
    return undefined
  }
}
