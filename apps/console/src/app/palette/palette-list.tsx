// A list box of the browser can be neither styled nor typed into: this is the one of the combobox pattern.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Command } from './command.ts'
import styles from './palette.module.css'
import type { CommandGroup } from './use-command-groups.ts'

interface Props {
  id: string
  groups: readonly CommandGroup[]
  active: Command | undefined
  optionId(command: Command): string
  onMark(id: string): void
  onRun(command: Command): void
}

export function PaletteList({ id, groups, active, optionId, onMark, onRun }: Props) {
  const { t } = useTranslation('palette')
  const marked = active && optionId(active)
  useEffect(() => {
    if (marked) document.getElementById(marked)?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  return (
    <div id={id} role="listbox" aria-label={t('title')} className={styles.list}>
      {groups.map(({ key, commands }) => (
        <div key={key} role="group" aria-labelledby={`${id}-of-${key}`}>
          <div id={`${id}-of-${key}`} className={styles.heading} role="presentation">
            {t(`groups.${key}`)}
          </div>
          {commands.map((command) => (
            // The field has the focus and hears the keys; a pointer needs no more than this.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={command.id}
              id={optionId(command)}
              role="option"
              aria-selected={command.id === active?.id}
              className={styles.option}
              onPointerMove={() => command.id !== active?.id && onMark(command.id)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onRun(command)}
            >
              <span className={styles.icon} aria-hidden>
                {command.icon}
              </span>
              <span className={styles.name}>{command.title}</span>
              {command.hint && <span className={styles.hint}>{command.hint}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
