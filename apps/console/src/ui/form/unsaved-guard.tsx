import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { NavigationType, useBlocker } from 'react-router'
import { App } from '../kit/index.ts'

/** Asks whether what was entered may be thrown away. */
export function useConfirmDiscard() {
  const { t } = useTranslation()
  const { modal } = App.useApp()
  return ({ onDiscard, onKeep }: { onDiscard(): void; onKeep?(): void }) =>
    void modal.confirm({
      title: t('discardTitle'),
      content: t('discardText'),
      okText: t('discard'),
      cancelText: t('keepEditing'),
      okButtonProps: { danger: true },
      onOk: onDiscard,
      ...(onKeep && { onCancel: onKeep }),
    })
}

/**
 * While it is drawn, neither the back button nor a link nor closing the page loses changes without a question. What stays
 * on the page is left alone: that is how a screen itself closes what was saved or given up.
 */
export function UnsavedGuard({ hasChanges }: { hasChanges(): boolean }) {
  const confirmDiscard = useConfirmDiscard()
  const latest = useRef({ hasChanges, confirmDiscard })
  useEffect(() => {
    latest.current = { hasChanges, confirmDiscard }
  })
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const leaves = historyAction === NavigationType.Pop || nextLocation.pathname !== currentLocation.pathname
    return leaves && latest.current.hasChanges()
  })

  useEffect(() => {
    if (blocker.state !== 'blocked') return
    latest.current.confirmDiscard({ onDiscard: () => blocker.proceed(), onKeep: () => blocker.reset() })
  }, [blocker])

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current.hasChanges()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return null
}
