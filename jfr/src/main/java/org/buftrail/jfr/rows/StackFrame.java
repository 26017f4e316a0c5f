package org.buftrail.jfr.rows;

/**
 * A frame of a stack.
 *
 * @param function its name, with the class in front if it is of Java
 * @param file the source file; empty if that is not known
 * @param line from 1; 0 if it is not known
 * @param type {@code jvm}, {@code native}, {@code kernel} or another of the semantic convention
 * @param module the library or binary; empty if that is not known
 */
public record StackFrame(String function, String file, long line, String type, String module) {}
