import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { channelTypeOf, type ChannelDetail } from '@tidegate/contract/api'
import { useState, useEffect, useRef, type ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { useFirstFocus } from '../../../ui/form/use-first-focus.ts'
import { Alert, Button, Form, Input, Segmented, type GetRef } from '../../../ui/kit/index.ts'
import { useRevealKey } from '../api.ts'
import type { ChannelValues } from './channel-values.ts'
import styles from './editor.module.css'
import { isMasked, splitKeys, insertText, looksLikeSeveral } from './key-text.ts'

/** Keys are write-only: stored ones are masked and stay until they are replaced. */
export function KeyField({ channel }: { channel?: ChannelDetail }) {
  const { t } = useTranslation('channels')
  const form = Form.useFormInstance<ChannelValues>()
  const type = Form.useWatch('type', form) ?? channel?.type ?? 1
  // Keys that cannot be read cannot be kept either.
  const isLost = channel?.key === ''
  const [replacing, setReplacing] = useState(channel === undefined || isLost)
  const kind = channelTypeOf(type)
  const singleKey = kind?.singleKey ?? false

  if (channel && !replacing) {
    const replace = () => {
      // Masked lines keep their keys, so that one can be added or removed without knowing the others.
      form.setFieldValue('key', singleKey ? '' : channel.key)
      setReplacing(true)
    }
    return (
      <Form.Item label={t('form.key')} extra={t('form.keyStoredHint')}>
        <StoredKeys channel={channel} onReplace={replace} />
      </Form.Item>
    )
  }
  const hint =
    channel && !isLost && !singleKey ? t('form.keyReplaceHint') : t(channel ? 'form.keyHint' : 'form.pasteKey')
  return (
    <>
      <Form.Item<ChannelValues>
        name="key"
        label={t('form.key')}
        extra={hint}
        rules={[
          { required: !channel, whitespace: true, message: t('form.keyRequired') },
          {
            validator: (_, text: string = '') =>
              fits(text) ? Promise.resolve() : Promise.reject(new Error(t('form.keyShape', { shape: kind?.keyHint }))),
          },
        ]}
      >
        <KeyEntry singleKey={singleKey} placeholder={kind?.keyHint ?? ''} takesFocus={!channel} />
      </Form.Item>
      {channel && !isLost && (
        <div className={styles.keyUndo}>
          <Button size="small" type="link" onClick={() => form.setFieldValue('key', '')}>
            {t('form.clearKey')}
          </Button>
          <Button
            size="small"
            type="link"
            onClick={() => {
              form.setFieldValue('key', '')
              setReplacing(false)
            }}
          >
            {t('form.keepKey')}
          </Button>
        </div>
      )}
    </>
  )

  function fits(text: string): boolean {
    if (text.trim() === '' || !kind?.keyPattern) return true
    return splitKeys(text).every((key) => isMasked(key) || kind.keyPattern!.test(key))
  }
}

interface KeyEntryProps {
  /** Given by the form. */
  id?: string
  value?: string
  onChange?(text: string): void
  /** The key is a document that may contain commas and line breaks. */
  singleKey: boolean
  /** The format of a key. */
  placeholder: string
  /** The first field of the form. */
  takesFocus?: boolean
}

type Mode = 'single' | 'multiple'

/** One key or several. A comma or a line break switches to several. */
export function KeyEntry({
  id,
  value = '',
  onChange,
  singleKey,
  placeholder,
  takesFocus: isFirst = false,
}: KeyEntryProps) {
  const { t } = useTranslation('channels')
  const first = useFirstFocus()
  // Masked keys are shown as lines, so that keys can be added.
  const [chosen, setChosen] = useState<Mode>(looksLikeSeveral(value) || isMasked(value) ? 'multiple' : 'single')
  const several = useRef<GetRef<typeof Input.TextArea>>(null)
  const takesFocus = useRef(false)
  const mode: Mode | 'document' = singleKey ? 'document' : chosen
  const count = splitKeys(value).length

  useEffect(() => {
    // The user was typing in the single field that this one replaced.
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
    event.preventDefault() // a single-line field would join the lines
    const { selectionStart, selectionEnd } = event.currentTarget
    write(insertText(value, pasted, selectionStart, selectionEnd))
  }
  return (
    <div className={styles.keyEntry}>
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
          {...(isFirst && { ref: first })}
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

/** Above the form of a channel whose keys cannot be decrypted. */
export function UnreadableKeys() {
  const { t } = useTranslation('channels')
  return (
    <Alert
      className={styles.unreadable}
      type="error"
      showIcon
      title={t('form.keyUnreadable')}
      description={t('form.keyUnreadableHelp')}
    />
  )
}

interface StoredKeysProps {
  channel: Pick<ChannelDetail, 'id' | 'name' | 'key'>
  onReplace(): void
}

/** Stored keys, masked. Revealing them is recorded in the audit log. */
export function StoredKeys({ channel, onReplace }: StoredKeysProps) {
  const { t } = useTranslation('channels')
  const reveal = useRevealKey()
  const [revealed, setRevealed] = useState<string | null>(null)
  const toggle = () => {
    if (revealed !== null) return setRevealed(null)
    reveal.mutate(channel.id, { onSuccess: ({ key }) => setRevealed(key) })
  }
  return (
    <div className={styles.storedKeys}>
      <Input.TextArea
        className={`mono ${styles.keyLines}`}
        aria-label={t('form.storedKeys')}
        readOnly
        autoSize={{ minRows: 1, maxRows: 6 }}
        value={revealed ?? channel.key}
      />
      <div className={styles.keyButtons}>
        <Button
          size="small"
          loading={reveal.isPending}
          icon={revealed === null ? <EyeOutlined aria-hidden /> : <EyeInvisibleOutlined aria-hidden />}
          onClick={toggle}
        >
          {t(revealed === null ? 'form.revealKey' : 'form.hideKey')}
        </Button>
        <Button size="small" onClick={onReplace}>
          {t('form.replaceKey')}
        </Button>
        {revealed !== null && (
          <CopyButton
            text={revealed}
            label={t('form.copyKey', { name: channel.name })}
            words={t('form.copyKeyWords')}
          />
        )}
      </div>
    </div>
  )
}
