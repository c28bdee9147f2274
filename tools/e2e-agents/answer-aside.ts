/** Programs ask models for more than the work: a title, which model to use. Such questions offer no tools. */
import type { ModelAnswer, ModelRequest } from "./brain.ts";

/** null: it is about the work. */
export function answerAside(request: ModelRequest): ModelAnswer | null {
  if ((request.tools ?? []).length > 0) return null;
  const text = JSON.stringify(request.messages);
  // Gemini CLI has a small model choose the large one, and asks five times over a minute and a half what gives no JSON.
  if (text.includes("complexity_score"))
    return { content: JSON.stringify({ complexity_reasoning: "Work.", complexity_score: 60 }) };
  if (text.includes("model_choice")) return { content: JSON.stringify({ reasoning: "Work.", model_choice: "pro" }) };
  return { content: "A title" };
}
