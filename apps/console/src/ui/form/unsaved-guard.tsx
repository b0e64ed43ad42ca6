import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { NavigationType, useBlocker } from 'react-router'
import { App } from '../kit/index.ts'

/** Asks whether to discard unsaved changes. */
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
 * Asks before the back button, a link or closing the tab discards unsaved changes. Navigation within the same page is
 * not blocked, because pages use it to close a form after saving or discarding.
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
