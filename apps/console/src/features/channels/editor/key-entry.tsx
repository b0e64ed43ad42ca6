import { useEffect, useRef, useState, type ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Input, Segmented, type GetRef } from '../../../ui/kit/index.ts'
import styles from './editor.module.css'
import { insertText, isMasked, looksLikeSeveral, splitKeys } from './key-text.ts'

interface Props {
  /** Given by the form. */
  id?: string
  value?: string
  onChange?(text: string): void
  /** The vendor's key is one document, commas and line breaks included. */
  singleKey: boolean
  /** What a key looks like. */
  placeholder: string
}

type Mode = 'single' | 'multiple'

/** One key or several. A comma or a line break, typed or pasted, tells that there are several. */
export function KeyEntry({ id, value = '', onChange, singleKey, placeholder }: Props) {
  const { t } = useTranslation('channels')
  // A masked line is to be read, and others to be put beside it.
  const [chosen, setChosen] = useState<Mode>(looksLikeSeveral(value) || isMasked(value) ? 'multiple' : 'single')
  const several = useRef<GetRef<typeof Input.TextArea>>(null)
  const takesFocus = useRef(false)
  const mode: Mode | 'document' = singleKey ? 'document' : chosen
  const count = splitKeys(value).length

  useEffect(() => {
    // The field that was typed into is gone; whoever typed goes on in the other.
    if (mode === 'multiple' && takesFocus.current) several.current?.focus({ cursor: 'end' })
    takesFocus.current = false
  }, [mode])

  const write = (text: string) => {
    if (mode === 'single' && looksLikeSeveral(text)) {
      takesFocus.current = true
      setChosen('multiple')
    }
    onChange?.(text)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text')
    if (!looksLikeSeveral(pasted)) return
    event.preventDefault() // a field of one line would glue the lines together
    const { selectionStart, selectionEnd } = event.currentTarget
    write(insertText(value, pasted, selectionStart, selectionEnd))
  }
  return (
    <div>
      {!singleKey && (
        <div className={styles.keyMode}>
          <Segmented<Mode>
            size="small"
            aria-label={t('form.keyMode')}
            value={chosen}
            onChange={setChosen}
            options={[
              { value: 'single', label: t('form.keySingle'), disabled: count > 1 },
              { value: 'multiple', label: t('form.keyMultiple') },
            ]}
          />
          {mode === 'multiple' && <span className="secondary">{t('form.keyCount', { count })}</span>}
        </div>
      )}
      {mode === 'single' ? (
        <Input.Password
          {...(id !== undefined && { id })}
          className="mono"
          autoComplete="new-password"
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onChange={(event) => write(event.target.value)}
          onPaste={paste}
        />
      ) : (
        <Input.TextArea
          {...(id !== undefined && { id })}
          ref={several}
          className="mono"
          autoSize={{ minRows: mode === 'document' ? 6 : 3, maxRows: 12 }}
          autoComplete="off"
          spellCheck={false}
          placeholder={mode === 'document' ? placeholder : t('form.keyMultiplePlaceholder', { example: placeholder })}
          value={value}
          onChange={(event) => write(event.target.value)}
        />
      )}
    </div>
  )
}
