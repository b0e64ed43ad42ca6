import { render } from 'katex'
import 'katex/dist/katex.min.css'
import { useLayoutEffect, useMemo, useRef, type ReactNode } from 'react'
import styles from './rich-content.module.css'

interface Props {
  tex: string
  isBlock: boolean
  /** Shown if the formula is invalid. */
  fallback: ReactNode
}

export default function Formula({ tex, isBlock, fallback }: Props) {
  const container = useRef<HTMLSpanElement>(null)
  const formula = useMemo(() => renderFormula(tex, isBlock), [tex, isBlock])
  useLayoutEffect(() => {
    if (formula) container.current!.replaceChildren(formula)
  }, [formula])
  return formula ? <span ref={container} className={isBlock ? styles.formulaBlock : styles.formula} /> : fallback
}

/** Without links, images and styles (`trust`), and with limited sizes and expansions. */
const OPTIONS = { trust: false, strict: 'ignore', throwOnError: true, maxExpand: 500, maxSize: 20 } as const

function renderFormula(tex: string, displayMode: boolean): HTMLElement | undefined {
  const formula = document.createElement('span')
  try {
    render(tex, formula, { displayMode, ...OPTIONS })
    return formula
  } catch {
    return undefined
  }
}
