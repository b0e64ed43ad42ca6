import { DownOutlined, FilterOutlined } from '@ant-design/icons'
import { Children, useState, type ReactNode } from 'react'
import { useIsPhone } from '../../lib/use-media.ts'
import { Badge, Button } from '../kit/index.ts'
import styles from './filters.module.css'

interface Props {
  label: string
  /** Label of the button that shows the other filters. */
  more: string
  /** Number of active filters. */
  active: number
  /** Also visible on phones. */
  first: ReactNode
  /** Filters behind the button on all screens, and how many of them are active. */
  folded?: { controls: ReactNode; active: number }
  /** After the controls. `isOpen`: no control is hidden. */
  renderEnd?(isOpen: boolean): ReactNode
  children: ReactNode
}

/** The most important filter, then the others in a wrapping row. On phones, a button shows the others. */
export function FilterBar({ label, more, active, first, folded, renderEnd, children }: Props) {
  const isPhone = useIsPhone()
  const [isOpen, setIsOpen] = useState(false)
  const toggle = { 'aria-expanded': isOpen, onClick: () => setIsOpen(!isOpen) }
  return (
    <search className={styles.filters} aria-label={label}>
      {first}
      {!isPhone && children}
      {isPhone && (folded || Children.count(children) > 0) && (
        <Badge count={active} size="small">
          <Button {...toggle} aria-label={more} icon={<FilterOutlined aria-hidden />} />
        </Badge>
      )}
      {!isPhone && folded && (
        <Badge count={folded.active} size="small">
          <Button {...toggle}>
            {more} <DownOutlined aria-hidden rotate={isOpen ? 180 : 0} />
          </Button>
        </Badge>
      )}
      {isPhone && isOpen && children}
      {isOpen && folded?.controls}
      {renderEnd?.(isOpen)}
    </search>
  )
}
