import { ArrowUpOutlined, CloseOutlined, PictureOutlined } from '@ant-design/icons'
import type { PricedModel } from '@tidegate/contract/api'
import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ModelProviderMark } from '../../components/provider-mark.tsx'
import { Button, Input, Tooltip } from '../../ui/kit/index.ts'
import { PICTURE_TYPES, useAttachedPictures } from './attached-pictures.ts'
import { stopAnswers, useChatActions } from './chat/send-message.ts'
import styles from './composer.module.css'
import { answersOf, isGenerating, type Picture } from './conversation/conversation.ts'
import { currentConversation, MESSAGE_FIELD, setDraft, usePlayground } from './conversation/store.ts'
import { hasVision } from './offers.ts'

interface Props {
  models: readonly PricedModel[]
  isLoading: boolean
  /** Opens the settings, where models are selected. */
  onModels(): void
}

/** The message field, with attached pictures. */
export function Composer({ models, isLoading, onModels }: Props) {
  const { t } = useTranslation('playground')
  const conversation = usePlayground(currentConversation)
  const draft = usePlayground((state) => state.draft)
  const { sendMessage } = useChatActions()
  const attached = useAttachedPictures()
  const formatNames = useFormatNames()
  const files = useRef<HTMLInputElement>(null)
  const isBusy = answersOf(conversation).some(isGenerating)
  const withoutVision = conversation.columns.map(({ model }) => model).filter((model) => !hasVision(models, model))
  const warning = withoutVision.length > 0 ? t('composer.noVision', { models: formatNames(withoutVision) }) : ''
  const canSend = !isBusy && !isLoading && models.length > 0 && (draft.trim() !== '' || attached.pictures.length > 0)
  useStopOnEscape(isBusy, () => stopAnswers(conversation))

  const send = () => {
    if (!canSend) return
    sendMessage(draft, attached.pictures)
    setDraft('')
    attached.clear()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a word of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0) return
    event.preventDefault()
    void attached.add(pasted)
  }
  return (
    <form
      className={styles.composer}
      data-dropping={attached.isDropping || undefined}
      {...attached.dropTarget}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <AttachedPictures pictures={attached.pictures} warning={warning} onRemove={attached.remove} />
      <Input.TextArea
        id={MESSAGE_FIELD}
        className={styles.field}
        variant="borderless"
        aria-label={t('composer.label')}
        placeholder={t('composer.placeholder')}
        autoSize={{ minRows: 1, maxRows: 9 }}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className={styles.row}>
        <input
          ref={files}
          type="file"
          hidden
          multiple
          accept={PICTURE_TYPES.join(',')}
          aria-label={t('composer.attach')}
          onChange={(event) => {
            void attached.add([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <Tooltip title={warning || t('composer.attach')}>
          <Button
            type="text"
            icon={<PictureOutlined aria-hidden />}
            aria-label={t('composer.attach')}
            onClick={() => files.current!.click()}
          />
        </Tooltip>
        <ModelChip models={models} selected={conversation.columns.map(({ model }) => model)} onOpen={onModels} />
        <span className={styles.hint}>{isBusy ? t('composer.hintBusy') : t('composer.hint')}</span>
        {isBusy ? (
          <Button
            shape="circle"
            icon={<span className={styles.stop} aria-hidden />}
            aria-label={t('composer.stop')}
            onClick={() => stopAnswers(conversation)}
          />
        ) : (
          <Button
            type="primary"
            shape="circle"
            htmlType="submit"
            icon={<ArrowUpOutlined aria-hidden />}
            aria-label={t('composer.send')}
            disabled={!canSend}
          />
        )}
      </div>
    </form>
  )
}

interface ChipProps {
  models: readonly PricedModel[]
  selected: readonly string[]
  onOpen(): void
}

/** The models that answer. Absent until they are known. */
function ModelChip({ models, selected, onOpen }: ChipProps) {
  const { t } = useTranslation('playground')
  const offered = models.filter(({ model_name: name }) => selected.includes(name))
  if (offered.length === 0) return null
  const text = selected.length === 1 ? selected[0]! : t('settings.models', { count: selected.length })
  return (
    <button type="button" className={styles.model} aria-label={`${t('settings.model')}: ${text}`} onClick={onOpen}>
      {offered.map(({ model_name: name, owner_by: provider }) => (
        <ModelProviderMark key={name} provider={provider} />
      ))}
      <span className={styles.modelName}>{text}</span>
    </button>
  )
}

interface AttachedProps {
  pictures: readonly Picture[]
  /** Blank if all models support images. */
  warning: string
  onRemove(at: number): void
}

function AttachedPictures({ pictures, warning, onRemove }: AttachedProps) {
  const { t } = useTranslation('playground')
  if (pictures.length === 0) return null
  return (
    <div className={styles.attached}>
      <ul className={styles.thumbnails}>
        {pictures.map(({ url, name }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same picture can be attached twice
          <li key={at} className={styles.thumbnail}>
            <img src={url} alt={name} />
            <button type="button" aria-label={t('picture.remove', { name })} onClick={() => onRemove(at)}>
              <CloseOutlined aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {warning !== '' && <output className={styles.warning}>{warning}</output>}
    </div>
  )
}

/** Joins names by the rules of the language: "a, b and c". */
function useFormatNames() {
  const { i18n } = useTranslation()
  const list = new Intl.ListFormat(i18n.resolvedLanguage ?? 'en', { type: 'conjunction' })
  return (names: readonly string[]) => list.format(names)
}

/** Escape stops the answers from anywhere on the page, unless it closes a dialog. */
function useStopOnEscape(isBusy: boolean, stop: () => void): void {
  const latest = useRef(stop)
  useEffect(() => {
    latest.current = stop
  })
  useEffect(() => {
    if (!isBusy) return
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('[role=dialog]')) latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isBusy])
}
