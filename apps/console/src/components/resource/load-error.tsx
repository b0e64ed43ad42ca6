import { ApiError, errorText } from '../../api/errors.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'

interface Props {
  title: string
  error: unknown
  hint?: string
  retrying?: boolean
  onRetry(): unknown
}

/** Data that could not be loaded. */
export function LoadError({ error, ...props }: Props) {
  return (
    <ErrorState
      {...props}
      message={error ? errorText(error) : undefined}
      requestId={error instanceof ApiError ? error.requestId : undefined}
      isOffline={error instanceof ApiError && error.code === 'network'}
    />
  )
}
