package org.buftrail.agent.application;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Defines the meters that are in the jar where the application has the library that they are for.
 *
 * <p>A class sees the library of its own loader alone, and in a jar of jars that is not the loader
 * of the class path. An application that brings the meters itself keeps its own.
 */
public final class MetersInApplication {
  static final String MICROMETER = "io.micrometer.core.instrument.binder.MeterBinder";
  static final String OPEN_TELEMETRY = "io.opentelemetry.api.GlobalOpenTelemetry";

  private static final String PACKAGE = "org.buftrail.metrics.";

  /** Each class in the jar, and the library class that it needs. */
  private static final Map<String, String> LIBRARIES =
      Map.of(PACKAGE + "FlowMeters", MICROMETER, PACKAGE + "FlowInstruments", OPEN_TELEMETRY);

  private final Instrumentation instrumentation;

  /** Defines classes in a JVM. */
  public MetersInApplication(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** The library that a class of the jar is for; null for any other class. */
  public static @Nullable String library(String name) {
    return LIBRARIES.get(name);
  }

  /**
   * A class of the application, or one of the jar's meters.
   *
   * @throws ClassNotFoundException when it is neither, or its library is not there
   */
  public Class<?> find(String name, ClassLoader loader) throws ClassNotFoundException {
    String library = library(name);
    if (library == null) {
      return Class.forName(name, true, loader);
    }
    ClassLoader where = Class.forName(library, false, loader).getClassLoader();
    if (where == null) {
      throw new ClassNotFoundException(name);
    }
    try {
      define(PACKAGE + "LastRound", where);
      return define(name, where);
    } catch (IOException | ReflectiveOperationException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private Class<?> define(String name, ClassLoader loader)
      throws IOException, ReflectiveOperationException {
    try {
      return Class.forName(name, true, loader);
    } catch (ClassNotFoundException e) {
      String internalName = name.replace('.', '/');
      byte[] classFile = bytes(internalName + ".classdata");
      return new ClassDefiner(instrumentation).define(internalName, classFile, loader);
    }
  }

  private static byte[] bytes(String resource) throws IOException {
    try (InputStream in =
        MetersInApplication.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException(resource + " is not in the jar");
      }
      return in.readAllBytes();
    }
  }
}
