// Elements with roles are needed for the combobox pattern.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { SearchOutlined } from '@ant-design/icons'
import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { errorText } from '../../api/errors.ts'
import { useSession } from '../../api/session.ts'
import { saveRecentCommand, type Command, type GroupKey } from './command.tsx'
import styles from './palette.module.css'
import { useCommandGroups, type CommandGroup } from './use-command-groups.ts'
import { closePalette, usePalette } from './use-palette.ts'

const LIST = 'palette-list'

interface Props {
  field: RefObject<HTMLInputElement | null>
  /** Closes the palette and restores the focus. */
  onClose(): void
}

/** The field and its results. The focus stays in the field; arrow keys select a result. */
export function PaletteBox({ field, onClose }: Props) {
  const { t } = useTranslation('palette')
  const text = usePalette((state) => state.text)
  const [selected, setSelected] = useState<string | null>(null)
  const query = text.trim()
  const { groups, isSearching, failures } = useCommandGroups(query)
  const commands = groups.flatMap((group) => group.commands)
  const at = Math.max(
    0,
    commands.findIndex(({ id }) => id === selected),
  )
  const active = commands[at]
  const run = useRun(onClose)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return // the input method handles the key
    const next = nextIndex(event.key, at, commands.length)
    if (next !== null) {
      event.preventDefault()
      setSelected(commands[next]!.id)
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      run(active)
    }
  }
  return (
    <div className={styles.box} data-palette>
      <div className={styles.field}>
        <SearchOutlined aria-hidden />
        <input
          ref={field}
          className={styles.input}
          role="combobox"
          aria-label={t('title')}
          aria-autocomplete="list"
          aria-expanded={commands.length > 0}
          aria-controls={commands.length > 0 ? LIST : undefined}
          aria-activedescendant={active && optionId(active)}
          placeholder={t('placeholder')}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            usePalette.setState({ text: event.target.value })
            setSelected(null)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {commands.length > 0 && (
        <PaletteList id={LIST} groups={groups} active={active} optionId={optionId} onSelect={setSelected} onRun={run} />
      )}
      <PaletteStatus query={query} count={commands.length} isSearching={isSearching} failures={failures} />
      <PaletteKeys />
    </div>
  )
}

const optionId = ({ id }: Command) => `${LIST}-${id}`

function useRun(onClose: () => void) {
  const navigate = useNavigate()
  const userId = useSession((session) => session.user?.id ?? 0)
  return (command: Command) => {
    if (command.id !== 'do:logout') saveRecentCommand(userId, command)
    if (typeof command.target === 'string') {
      closePalette()
      goTo(command.target)
    } else {
      onClose()
      command.target()
    }
  }

  function goTo(path: string): void {
    // A drawer takes the focus itself. Otherwise the focus moves to the content of the page.
    if (!path.includes('drawer=')) document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
    void navigate(path)
  }
}

/** The index that a key selects, or null for other keys. Arrow keys wrap around. */
function nextIndex(key: string, index: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (index + 1) % count
  if (key === 'ArrowUp') return (index - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return null
}

interface ListProps {
  id: string
  groups: readonly CommandGroup[]
  active: Command | undefined
  optionId(command: Command): string
  onSelect(id: string): void
  onRun(command: Command): void
}

/** A listbox of the combobox pattern: a native select cannot have a search field. */
function PaletteList({ id, groups, active, optionId, onSelect, onRun }: ListProps) {
  const { t } = useTranslation('palette')
  const activeId = active && optionId(active)
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  return (
    <div id={id} role="listbox" aria-label={t('title')} className={styles.list}>
      {groups.map(({ key, commands }) => (
        <div key={key} role="group" aria-labelledby={`${id}-of-${key}`}>
          <div id={`${id}-of-${key}`} className={styles.heading} role="presentation">
            {t(`groups.${key}`)}
          </div>
          {commands.map((command) => (
            // The field has the focus and handles the keys.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={command.id}
              id={optionId(command)}
              role="option"
              aria-selected={command.id === active?.id}
              className={styles.option}
              onPointerMove={() => command.id !== active?.id && onSelect(command.id)}
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

interface StatusProps {
  query: string
  count: number
  isSearching: boolean
  failures: readonly { group: GroupKey; error: Error }[]
}

/** Shows that the search is running, that it failed or that nothing was found. */
function PaletteStatus({ query, count, isSearching, failures }: StatusProps) {
  const { t } = useTranslation('palette')
  const isEmpty = count === 0 && !isSearching && failures.length === 0
  return (
    <>
      {isSearching && <p className={styles.note}>{t('searching')}</p>}
      {!isSearching &&
        failures.map(({ group, error }) => (
          <p key={group} className={styles.note} data-failed>
            {t('failed', { group: t(`groups.${group}`), reason: errorText(error) })}
          </p>
        ))}
      {isEmpty && (
        <div className={styles.empty}>
          <strong>{t('nothing', { text: query })}</strong>
          <span>{t('nothingHint')}</span>
        </div>
      )}
      <output className="visually-hidden" aria-live="polite">
        {isSearching ? t('searching') : t('results', { count })}
      </output>
    </>
  )
}

/** The keys of the palette, hidden on touch screens. */
function PaletteKeys() {
  const { t } = useTranslation('palette')
  return (
    <div className={styles.keys} aria-hidden>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {t('keys.choose')}
      </span>
      <span>
        <kbd>↵</kbd> {t('keys.run')}
      </span>
      <span>
        <kbd>Esc</kbd> {t('keys.close')}
      </span>
    </div>
  )
}
