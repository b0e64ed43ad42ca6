import { SearchOutlined } from '@ant-design/icons'
import { useState, type KeyboardEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import type { Command } from './command.ts'
import { nextIndex } from './next-index.ts'
import { PaletteKeys } from './palette-keys.tsx'
import { PaletteList } from './palette-list.tsx'
import { PaletteNotes } from './palette-notes.tsx'
import styles from './palette.module.css'
import { rememberChoice } from './recent.ts'
import { useCommandGroups } from './use-command-groups.ts'
import { closePalette, usePalette } from './use-palette.ts'

const LIST = 'palette-list'

interface Props {
  field: RefObject<HTMLInputElement | null>
  /** Gives the focus back to where it was. */
  onLeave(): void
}

/** A field and what it finds. The focus stays in the field; the arrows move a mark through the list. */
export function PaletteBox({ field, onLeave }: Props) {
  const { t } = useTranslation('palette')
  const text = usePalette((state) => state.text)
  const [marked, setMarked] = useState<string | null>(null)
  const typed = text.trim()
  const { groups, isSearching, failures } = useCommandGroups(typed)
  const commands = groups.flatMap((group) => group.commands)
  const at = Math.max(
    0,
    commands.findIndex(({ id }) => id === marked),
  )
  const active = commands[at]
  const run = useRun(onLeave)

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return // the keys still belong to the input method
    const next = nextIndex(event.key, at, commands.length)
    if (next !== null) {
      event.preventDefault()
      setMarked(commands[next]!.id)
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
            setMarked(null)
          }}
          onKeyDown={press}
        />
      </div>
      {commands.length > 0 && (
        <PaletteList id={LIST} groups={groups} active={active} optionId={optionId} onMark={setMarked} onRun={run} />
      )}
      <PaletteNotes typed={typed} count={commands.length} isSearching={isSearching} failures={failures} />
      <PaletteKeys />
    </div>
  )
}

const optionId = ({ id }: Command) => `${LIST}-${id}`

function useRun(onLeave: () => void) {
  const navigate = useNavigate()
  const userId = useSession((session) => session.user?.id ?? 0)
  return (command: Command) => {
    if (command.id !== 'do:logout') rememberChoice(userId, command)
    if (typeof command.target === 'string') {
      closePalette()
      goTo(command.target)
    } else {
      onLeave()
      command.target()
    }
  }

  function goTo(path: string): void {
    // What opens over a screen takes the focus itself; on a plain screen it goes to where the reading begins.
    if (!path.includes('drawer=')) document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
    void navigate(path)
  }
}
