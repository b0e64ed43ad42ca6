import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react'
import type { MenuProps } from '../../ui/kit/index.ts'
import styles from '../../ui/overlay/lazy-popup.module.css'
import { useLatePopup } from '../../ui/overlay/use-lazy-popup.ts'

const loadPopup = () => import('./menu-popup.tsx')
const MenuPopup = lazy(loadPopup)

interface Props {
  menu: MenuProps
  /** The button, given what makes it open the menu. */
  children(button: Omit<ComponentProps<'button'>, 'type' | 'color'>): ReactNode
}

/** A menu of the top bar. Few open it, so that everybody's first screen need not wait for what draws it. */
export function LateMenu({ menu, children }: Props) {
  const { open, button, close } = useLatePopup()
  return (
    <span className={styles.place}>
      {children({ ...button, 'aria-haspopup': 'menu', onPointerEnter: () => void loadPopup() })}
      {open && (
        <Suspense>
          <MenuPopup menu={menu} onClose={close} />
        </Suspense>
      )}
    </span>
  )
}
