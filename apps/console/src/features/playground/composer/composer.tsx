import { ArrowUpOutlined, PictureOutlined } from '@ant-design/icons'
import type { PricedModel } from '@tidegate/contract/api'
import { useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Input, Tooltip } from '../../../ui/kit/index.ts'
import { stopAnswers } from '../chat/ask.ts'
import { PICTURE_TYPES } from '../chat/read-picture.ts'
import { answersOf, isUnderWay } from '../conversation/conversation.ts'
import { currentConversation, usePlayground } from '../conversation/store.ts'
import { seesPictures } from '../settings/offered-models.ts'
import { useAsking } from '../use-asking.ts'
import { AttachedPictures } from './attached-pictures.tsx'
import styles from './composer.module.css'
import { useAttached } from './use-attached.ts'

interface Props {
  models: readonly PricedModel[]
  isLoading: boolean
}

/** Where questions are written. */
export function Composer({ models, isLoading }: Props) {
  const { t } = useTranslation('playground')
  const conversation = usePlayground(currentConversation)
  const { ask } = useAsking()
  const [words, setWords] = useState('')
  const attached = useAttached()
  const listed = useListed()
  const files = useRef<HTMLInputElement>(null)
  const isBusy = answersOf(conversation).some(isUnderWay)
  const blind = conversation.columns.map(({ model }) => model).filter((model) => !seesPictures(models, model))
  const canSend = !isBusy && !isLoading && models.length > 0 && (words.trim() !== '' || attached.pictures.length > 0)
  useStopByEscape(isBusy, () => stopAnswers(conversation))

  const send = () => {
    if (!canSend) return
    ask(words, attached.pictures)
    setWords('')
    attached.clear()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // The Enter that ends a word of an input method is not meant for us.
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
      <AttachedPictures pictures={attached.pictures} onRemove={attached.remove} blind={listed(blind)} />
      <Input.TextArea
        className={styles.field}
        variant="borderless"
        aria-label={t('composer.label')}
        placeholder={t('composer.placeholder')}
        autoSize={{ minRows: 1, maxRows: 9 }}
        value={words}
        onChange={(event) => setWords(event.target.value)}
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
        <Tooltip title={blind.length > 0 ? t('composer.blind', { models: listed(blind) }) : t('composer.attach')}>
          <Button
            type="text"
            icon={<PictureOutlined aria-hidden />}
            aria-label={t('composer.attach')}
            onClick={() => files.current!.click()}
          />
        </Tooltip>
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

/** Names as one says them in a row. */
function useListed() {
  const { i18n } = useTranslation()
  const words = new Intl.ListFormat(i18n.resolvedLanguage ?? 'en', { type: 'conjunction' })
  return (names: readonly string[]) => words.format(names)
}

/** Wherever the person is on the page; a dialog above it has Escape for itself. */
function useStopByEscape(isBusy: boolean, stop: () => void): void {
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
