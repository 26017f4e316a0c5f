/**
 * The first classes of the jar that run: agent and command-line entry, and the loader that hides
 * the agent.
 *
 * <p>Compiled for Java 8, so that an older JVM gets one clear line instead of a class-format error.
 */
package org.buftrail.boot;
