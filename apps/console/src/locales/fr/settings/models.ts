/** Names of the rate limits and model settings, and a line on what each is for. */
export default {
  ModelRequestRateLimitEnabled: {
    label: 'Limiter les appels par utilisateur',
    help: 'Combien d’appels chaque utilisateur peut faire par période',
  },
  ModelRequestRateLimitDurationMinutes: {
    label: 'Période',
    help: 'La durée sur laquelle les appels sont comptés ; 0 : sans limite',
  },
  ModelRequestRateLimitCount: { label: 'Appels par période', help: 'Les échecs comptent aussi ; 0 : sans limite' },
  ModelRequestRateLimitSuccessCount: {
    label: 'Appels réussis par période',
    help: 'Seulement les appels réussis ; 1 ou plus',
  },

  global_pass_through_request_enabled: {
    label: 'Transmettre tel quel',
    help: 'Les corps au format OpenAI vont au fournisseur tels quels',
  },
  global_hide_upstream_error_enabled: {
    label: 'Masquer les erreurs des fournisseurs',
    help: 'Les utilisateurs voient une erreur générale au lieu du message du fournisseur',
  },
  global_block_browser_extension_enabled: {
    label: 'Refuser les extensions de navigateur',
    help: 'Les appels venant d’extensions de navigateur sont refusés',
  },

  global_rate_limit_exempt_enabled: {
    label: 'Exemption de limite de débit',
    help: 'Le groupe ci-dessous n’a pas de limite d’appels',
  },
  global_rate_limit_exempt_group: { label: 'Groupe sans limite de débit', help: 'Le nom du groupe' },
  global_safe_check_exempt_enabled: {
    label: 'Exemption des mots bloqués',
    help: 'Les mots bloqués ne sont pas vérifiés pour le groupe ci-dessous',
  },
  global_safe_check_exempt_group: { label: 'Groupe sans vérification de mots', help: 'Le nom du groupe' },

  global_auto_retry_enabled: {
    label: 'Nouvelles tentatives automatiques',
    help: 'Les appels en échec sont retentés sans que l’utilisateur le remarque',
  },
  global_auto_retry_count: { label: 'Nombre de tentatives', help: 'De 1 à 10' },
  global_auto_retry_force_channel_switch: {
    label: 'Retenter ailleurs seulement',
    help: 'Ne réessaie jamais le même canal, même s’il n’y en a pas d’autre',
  },
  global_auto_retry_status_codes: {
    label: 'Codes à retenter',
    help: 'x remplace un chiffre, comme 5xx ou 429 ; vide : tous',
  },

  general_setting_ping_interval_enabled: {
    label: 'Maintenir les flux ouverts',
    help: 'Envoie des lignes vides quand le fournisseur se tait, pour qu’aucun proxy ne coupe la connexion',
  },
  general_setting_ping_interval_seconds: { label: 'Intervalle', help: '1 seconde ou plus' },

  gemini_safety_settings: {
    label: 'Réglages de sécurité',
    help: 'Ce qui est bloqué, par catégorie ; default vaut pour les autres',
  },
  gemini_version_settings: { label: 'Versions d’API', help: 'Par modèle ; default vaut pour les autres' },
  gemini_supported_imagine_models: {
    label: 'Modèles qui dessinent',
    help: 'Leurs réponses peuvent contenir des images',
  },
  gemini_thinking_adapter_enabled: {
    label: 'Suffixe de réflexion',
    help: 'Les noms finissant par -thinking ou -nothinking l’activent ou non, comme gemini-2.5-flash-thinking',
  },
  gemini_thinking_adapter_budget_tokens_percentage: {
    label: 'Part de réflexion',
    help: 'Part de la réponse maximale pouvant être de la réflexion, de 0.002 à 1',
  },
  gemini_models_supported_thinking_budget: {
    label: 'Modèles avec budget de réflexion',
    help: 'Un budget n’est envoyé qu’à ceux-ci',
  },

  claude_model_headers_settings: { label: 'En-têtes', help: 'En-têtes à ajouter par modèle, comme anthropic-beta' },
  claude_default_max_tokens: {
    label: 'Réponse maximale par défaut',
    help: 'Pour les appels qui n’en indiquent pas ; default vaut pour les autres modèles',
  },
  claude_thinking_adapter_enabled: {
    label: 'Suffixe de réflexion',
    help: 'Les noms finissant par -thinking l’activent',
  },
  claude_thinking_adapter_budget_tokens_percentage: {
    label: 'Part de réflexion',
    help: 'Part de la réponse maximale pouvant être de la réflexion, de 0.1 à 1',
  },

  global_model_mapping: { label: 'Correspondance des modèles', help: 'Les modèles que désignent les noms virtuels' },
}
