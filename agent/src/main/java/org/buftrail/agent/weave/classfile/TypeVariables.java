package org.buftrail.agent.weave.classfile;

import org.jspecify.annotations.Nullable;

/** Which parameters of a generic method have a type variable for their type. */
public final class TypeVariables {
  private TypeVariables() {}

  /**
   * The parameters, in their order; null where none has.
   *
   * @param signature the generic signature of a method, if it has one
   */
  public static boolean @Nullable [] of(@Nullable String signature, int parameters) {
    int at = signature == null ? -1 : signature.indexOf('(');
    if (signature == null || at < 0) {
      return null;
    }
    boolean[] variables = null;
    at++;
    for (int i = 0; i < parameters && at < signature.length(); i++) {
      if (signature.charAt(at) == ')') {
        // The compiler has added parameters of its own.
        return null;
      }
      if (signature.charAt(at) == 'T') {
        variables = variables == null ? new boolean[parameters] : variables;
        variables[i] = true;
      }
      at = behindType(signature, at);
    }
    return variables;
  }

  /** Whether a string of a constant pool looks like the signature of such a method. */
  public static boolean mayBeSignature(String text) {
    int open =
        text.isEmpty() || (text.charAt(0) != '(' && text.charAt(0) != '<') ? -1 : text.indexOf('(');
    int close = text.indexOf(')', open + 1);
    for (int at = open + 1; open >= 0 && at < close; at++) {
      if (text.charAt(at) == 'T' && "(;[IJZBCSFD".indexOf(text.charAt(at - 1)) >= 0) {
        return true;
      }
    }
    return false;
  }

  private static int behindType(String signature, int from) {
    int at = from;
    while (signature.charAt(at) == '[') {
      at++;
    }
    if (signature.charAt(at) != 'L' && signature.charAt(at) != 'T') {
      return at + 1;
    }
    int depth = 0;
    while (signature.charAt(at) != ';' || depth > 0) {
      depth += signature.charAt(at) == '<' ? 1 : signature.charAt(at) == '>' ? -1 : 0;
      at++;
    }
    return at + 1;
  }
}
