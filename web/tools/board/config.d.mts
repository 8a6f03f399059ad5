export const BOARDS: Record<string, { width: number; height: number }>;
