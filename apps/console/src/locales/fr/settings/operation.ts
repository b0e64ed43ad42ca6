/** Names of the operation settings, and a line on what each is for. */
export default {
  TopUpLink: {
    label: 'Lien de recharge',
    help: 'Où les codes sont vendus ; « Obtenir un code » l’ouvre dans le portefeuille',
  },
  general_setting_docs_link: {
    label: 'Lien de documentation',
    help: 'L’entrée Documentation de la barre du haut ; vide : masquée',
  },
  general_setting_default_language: {
    label: 'Langue par défaut',
    help: 'Langue des erreurs et des e-mails quand une requête n’en indique pas (sans Accept-Language). Automatique : anglais sur /v1, chinois sur /api',
  },
  QuotaPerUnit: {
    label: 'Quota par dollar',
    help: 'Combien d’unités valent 1 USD. Un changement réévalue en dollars tous les soldes et prix',
  },
  RetryTimes: {
    label: 'Tentatives',
    help: 'Nombre d’autres canaux essayés quand les nouvelles tentatives automatiques sont désactivées ; 0 : jamais',
  },
  DisplayInCurrencyEnabled: {
    label: 'Afficher les montants en dollars',
    help: 'Désactivé : les pages affichent les unités brutes',
  },
  DisplayTokenStatEnabled: {
    label: 'Solde par jeton',
    help: 'Les requêtes de facturation renvoient le quota du jeton au lieu du solde de l’utilisateur',
  },
  DefaultCollapseSidebar: {
    label: 'Barre latérale réduite au départ',
    help: 'Ce que voient les nouveaux venus à leur première visite',
  },
  DemoSiteEnabled: {
    label: 'Site de démonstration',
    help: 'Seul le super-administrateur peut modifier quoi que ce soit',
  },
  SelfUseModeEnabled: {
    label: 'Usage personnel',
    help: 'Pour vous seul : ferme les inscriptions, et les modèles fonctionnent sans prix',
  },

  QuotaForNewUser: { label: 'Quota des nouveaux utilisateurs', help: 'Offert à l’inscription' },
  QuotaForInviter: { label: 'Quota des parrains', help: 'Offert quand une personne invitée s’inscrit' },
  QuotaForInvitee: { label: 'Quota des filleuls', help: 'Offert en plus aux inscrits sur invitation' },
  PreConsumedQuota: {
    label: 'Tokens réservés',
    help: 'Le quota de ce nombre de tokens est réservé quand un appel n’indique pas de maximum',
  },
  billing_max_output_tokens: {
    label: 'Sortie maximale',
    help: 'Aucune requête ne peut produire plus de tokens que cette valeur ; 0 pour aucune limite',
  },
  billing_assumed_output_tokens: {
    label: 'Sortie supposée',
    help: 'Réservée pour une requête sans limite de sortie quand le maximum du modèle est inconnu',
  },
  billing_disconnect_read_seconds: {
    label: 'Lecture après déconnexion',
    help: 'Durée de lecture d’une réponse pour son usage après la déconnexion du client ; 0 arrête aussitôt',
  },
  AffEnabled: { label: 'Invitations', help: 'Affiche les liens d’invitation et verse les cadeaux' },

  RebateEnabled: {
    label: 'Commission',
    help: 'Les parrains reçoivent une part quand leurs filleuls rechargent ou utilisent un code',
  },
  RebatePercentage: { label: 'Pourcentage de commission', help: 'De 0 à 100, deux décimales au plus' },

  CheckInEnabled: { label: 'Bonus quotidien', help: 'Les utilisateurs peuvent récupérer un peu de quota chaque jour' },
  CheckInQuota: { label: 'Montant du bonus', help: 'Le bonus fixe, ou le minimum si un maximum est défini' },
  CheckInMaxQuota: {
    label: 'Bonus maximal',
    help: 'Au-dessus du bonus : un montant au hasard entre les deux ; 0 : pas de hasard',
  },

  Chats: {
    label: 'Liens de chat',
    help: 'Une liste ordonnée, un nom et un lien par élément ; {key} et {address} deviennent le jeton et le serveur',
  },

  GroupRatio: {
    label: 'Coefficients des groupes',
    help: 'Les noms sont les groupes existants ; les nombres multiplient leurs prix',
  },
  UserUsableGroups: {
    label: 'Groupes pour tous',
    help: 'Groupes que tout utilisateur peut choisir, avec le texte affiché à côté',
  },
  AutoGroups: {
    label: 'Groupes de auto',
    help: 'Une liste ordonnée. Les jetons du groupe auto utilisent le premier de ces groupes que l’utilisateur peut utiliser et qui fournit le modèle, au ratio de ce groupe',
  },
  DefaultUseAutoGroup: {
    label: 'Les nouveaux jetons utilisent auto',
    help: 'Un nouveau jeton reçoit le groupe auto si aucun groupe n’est choisi',
  },

  ModelRates: {
    label: 'Cartes tarifaires',
    help: 'Prix en USD par 1 000 000 de jetons, avec paliers et frais, par modèle. Elles priment sur tout autre prix',
  },
  ModelPrice: {
    label: 'Prix des modèles par appel',
    help: 'USD par appel ; un modèle avec prix n’est plus facturé aux tokens',
  },
  ModelRatio: { label: 'Coefficients des modèles', help: 'Coefficient 1 : 2 USD par million de tokens d’entrée' },
  CompletionRatio: { label: 'Coefficients de sortie', help: 'Combien de fois le prix d’entrée coûte la sortie' },
  CacheRatio: { label: 'Coefficients du cache', help: 'Le coût de l’entrée en cache, en multiple du prix d’entrée' },

  fallback_pricing_enabled: {
    label: 'Prix de repli',
    help: 'Facture les modèles sans prix. Pour passer d’un prix à des coefficients ou l’inverse, désactivez et enregistrez d’abord',
  },
  fallback_single_price: {
    label: 'Prix de repli par appel',
    help: 'USD par appel ; soit ceci, soit les deux coefficients ci-dessous',
  },
  fallback_input_ratio: { label: 'Coefficient d’entrée de repli', help: 'Va avec le coefficient de sortie' },
  fallback_completion_ratio: { label: 'Coefficient de sortie de repli', help: 'Va avec le coefficient d’entrée' },
  redirect_billing_enabled: {
    label: 'Facturer le modèle demandé',
    help: 'Un appel redirigé par un canal vers un autre modèle est facturé au nom demandé',
  },

  DrawingEnabled: { label: 'Dessin', help: 'Affiche le journal de dessin dans la barre latérale' },
  MjNotifyEnabled: {
    label: 'Rappels des fournisseurs',
    help: 'Leur donne l’adresse de ce serveur ; désactivé, les adresses de rappel sont retirées des appels',
  },
  MjAccountFilterEnabled: { label: 'Filtre de comptes', help: 'Les clients peuvent indiquer les comptes à utiliser' },
  MjForwardUrlEnabled: {
    label: 'Servir les images d’ici',
    help: 'Les adresses d’images des fournisseurs deviennent des adresses de ce site',
  },
  MjModeClearEnabled: {
    label: 'Retirer les options de vitesse',
    help: 'Retire --fast, --relax et --turbo des prompts',
  },
  MjActionCheckSuccessEnabled: {
    label: 'Suites sur image terminée seulement',
    help: 'Agrandissements et variantes attendent que l’image soit prête',
  },
  TaskEnabled: { label: 'Tâches', help: 'Affiche le journal des tâches dans la barre latérale' },

  CheckSensitiveEnabled: { label: 'Mots bloqués', help: 'Désactivé : aucune des vérifications ci-dessous' },
  CheckSensitiveOnPromptEnabled: {
    label: 'Vérifier les prompts',
    help: 'Les appels avec un mot bloqué sont refusés et ne quittent pas le site',
  },
  SensitiveWords: {
    label: 'Liste des mots bloqués',
    help: 'Un par ligne, sans distinction de casse ; une ligne commençant par regex: est une expression',
  },
  StopOnSensitiveEnabled: {
    label: 'Arrêter les réponses aux mots bloqués',
    help: 'Gardé pour compatibilité : la sortie n’est pas vérifiée',
  },
  StreamCacheQueueLength: {
    label: 'Longueur de la file de flux',
    help: 'Gardé pour compatibilité : la sortie n’est pas vérifiée',
  },

  LogConsumeEnabled: {
    label: 'Journaliser les appels',
    help: 'Désactivé : aucune ligne par appel ; totaux et facturation continuent',
  },
  LogChatContentEnabled: {
    label: 'Journaliser les conversations',
    help: 'Garde les prompts et les réponses ; les utilisateurs en sont informés',
  },
  LogErrorEnabled: {
    label: 'Journaliser les erreurs',
    help: 'Les requêtes en échec ou rejetées ont aussi une ligne ; les rejetées sont conservées 7 jours',
  },
  LogRetentionDays: {
    label: 'Conservation du journal',
    help: 'Les lignes plus anciennes sont supprimées, les totaux restent ; 0 : conservées indéfiniment',
  },
  LogRetentionGigabytes: {
    label: 'Taille du journal',
    help: 'Au-delà, les jours les plus anciens sont supprimés ; 0 : sans limite',
  },
  LogChatContentDays: {
    label: 'Conservation des conversations',
    help: 'Peut être plus courte que celle du journal ; 0 : aussi longue',
  },

  DataExportEnabled: {
    label: 'Tableau de bord',
    help: 'Recueille et affiche les chiffres d’utilisation',
  },
  DataExportInterval: {
    label: 'Intervalle d’écriture',
    help: 'À quel rythme les chiffres recueillis sont écrits dans la base de données',
  },
  DataExportDefaultTime: { label: 'Pas par défaut', help: 'Le pas des graphiques à l’ouverture du tableau de bord' },

  ChannelDisableThreshold: {
    label: 'Temps de réponse maximal',
    help: 'Un test de tous les canaux désactive les plus lents ; 0 : aucun pour lenteur',
  },
  QuotaRemindThreshold: {
    label: 'Alerte de solde bas',
    help: 'Prévient les utilisateurs sans seuil propre qui passent dessous ; 0 : personne',
  },
  AutomaticDisableChannelEnabled: {
    label: 'Désactiver les canaux en échec',
    help: 'Une erreur fatale du fournisseur désactive le canal',
  },
  AutomaticEnableChannelEnabled: {
    label: 'Réactiver les canaux rétablis',
    help: 'Un canal désactivé automatiquement est réactivé quand un test réussit',
  },
  AutomaticDisableKeywords: {
    label: 'Expressions fatales',
    help: 'Une par ligne, sans distinction de casse. Le canal est désactivé quand une expression apparaît deux fois en peu de temps dans les erreurs du fournisseur, ou une fois pendant le test de tous les canaux',
  },

  ShadowEnabled: {
    label: 'Mode miroir',
    help: 'Les copies reçues sous /shadow sont jugées et notées : aucun fournisseur n’est appelé, rien n’est débité',
  },
  ShadowShare: {
    label: 'Part examinée',
    help: 'Part des copies reçues qui est jugée ; les autres sont écartées sans être lues',
  },
}
