import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react'
import type { MenuProps } from '../../ui/kit/index.ts'
import styles from '../../ui/overlay/lazy-popup.module.css'
import { useLatePopup } from '../../ui/overlay/use-lazy-popup.ts'

const loadPopup = () => import('./menu-popup.tsx')
const MenuPopup = lazy(loadPopup)

interface Props {
  menu: MenuProps
  /** Renders the button with the given props. */
  children(button: Omit<ComponentProps<'button'>, 'type' | 'color'>): ReactNode
}

/** A menu of the top bar. Its code is loaded when it first opens. */
export function LazyMenu({ menu, children }: Props) {
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
