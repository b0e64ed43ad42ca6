import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, errorText, isEditConflict, isUnproved, isUnreachable } from './errors.ts'
import { toast } from '../lib/toast.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** `showsErrors`: the page shows the error itself or works without the data, so no toast is needed. */
    queryMeta: { showsErrors?: boolean }
    mutationMeta: { showsErrors?: boolean }
  }
}

/** A toast shows failed mutations and failed reloads. The page itself shows a failed first load. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const isShownElsewhere = isKnown(error) || isUnreachable(error) // a banner shows that the server is unreachable
        const isReload = query.state.data !== undefined
        if (isReload && !isShownElsewhere && !query.meta?.showsErrors) toast.error(errorText(error))
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        if (!mutation.meta?.showsErrors && !isKnown(error)) toast.error(errorText(error))
      },
    }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: retryable, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  })
}

/**
 * No toast: the login screen explains an expired session, the security page a missing second factor, the form an edit
 * conflict, and the user has closed the dialog for re-authentication.
 */
const isKnown = (error: unknown) =>
  error instanceof ApiError &&
  (error.status === 401 || error.code === 'admin_second_factor_required' || isUnproved(error) || isEditConflict(error))

/** Retries only transient errors: no response, or an unavailable server. */
function retryable(failures: number, error: unknown): boolean {
  const isTransient = error instanceof ApiError && (error.status === 0 || [502, 503, 504].includes(error.status))
  return isTransient && failures < 2
}
