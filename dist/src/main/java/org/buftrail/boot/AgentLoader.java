package org.buftrail.boot;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Enumeration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Loads the agent from entries that no other loader takes for classes.
 *
 * <p>A class {@code C} of the agent is stored as {@code agent/C.classdata}. Classes of profiles,
 * reports and options, which the command line shares, are plain entries of which the agent gets a
 * copy of its own. Everything else, the flow runtime first of all, comes from the bootstrap and
 * platform loaders, never from the application.
 */
final class AgentLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final String HIDDEN = "agent/";
  private static final String[] OWN_PACKAGES = {
    "org.buftrail.agent.", "org.buftrail.options.", "org.buftrail.profile.", "org.buftrail.report."
  };

  private static final AtomicInteger DEFINED = new AtomicInteger();

  private final JarFile jar;
  private final URL url;
  private final ProtectionDomain domain;

  /** Opens the jar for as long as the JVM runs. */
  AgentLoader(File file) throws IOException {
    super(platformLoader());
    this.jar = new JarFile(file, false);
    this.url = file.toURI().toURL();
    this.domain = new ProtectionDomain(new CodeSource(url, (Certificate[]) null), null, this, null);
  }

  /** How many classes of the agent have been defined in this JVM. */
  static int defined() {
    return DEFINED.get();
  }

  /** The jar that the agent came in, open. */
  JarFile jar() {
    return jar;
  }

  /**
   * Java 8 cannot name it, but it is the eldest ancestor of the system loader that is an object.
   */
  static @Nullable ClassLoader platformLoader() {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    while (loader.getParent() != null) {
      loader = loader.getParent();
    }
    return loader;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isOwn(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }

  private static boolean isOwn(String name) {
    for (String prefix : OWN_PACKAGES) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (!isOwn(name)) {
      throw new ClassNotFoundException(name);
    }
    String path = name.replace('.', '/');
    JarEntry entry = jar.getJarEntry(HIDDEN + path + ".classdata");
    if (entry == null) {
      entry = jar.getJarEntry(path + ".class");
    }
    if (entry == null) {
      throw new ClassNotFoundException(name);
    }
    try {
      byte[] bytes = read(entry);
      definePackageOf(name);
      return define(name, bytes);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /**
   * While a class is being defined, a transformer of another agent may ask for it. That defines it,
   * and the JVM refuses the one that began first.
   */
  private Class<?> define(String name, byte[] bytes) {
    DEFINED.incrementAndGet();
    try {
      return defineClass(name, bytes, 0, bytes.length, domain);
    } catch (LinkageError e) {
      Class<?> meanwhile = findLoadedClass(name);
      if (meanwhile == null) {
        throw e;
      }
      return meanwhile;
    }
  }

  private void definePackageOf(String className) throws IOException {
    String name = className.substring(0, className.lastIndexOf('.'));
    Manifest manifest = jar.getManifest();
    if (getPackage(name) != null || manifest == null) {
      return;
    }
    String version = manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    try {
      definePackage(name, null, null, null, "Buftrail", version, null, null);
    } catch (IllegalArgumentException definedByAnotherThread) {
      return;
    }
  }

  /** Class files too: another agent that finds none loads the class instead, before its time. */
  @Override
  protected @Nullable URL findResource(String name) {
    String hidden = HIDDEN + (name.endsWith(".class") ? name + "data" : name);
    String entry = jar.getJarEntry(hidden) != null ? hidden : name;
    if (jar.getJarEntry(entry) == null) {
      return null;
    }
    try {
      return new URL("jar:" + url + "!/" + entry);
    } catch (MalformedURLException e) {
      return null;
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL found = findResource(name);
    return found == null
        ? Collections.<URL>emptyEnumeration()
        : Collections.enumeration(Collections.singleton(found));
  }

  private byte[] read(JarEntry entry) throws IOException {
    byte[] bytes = new byte[(int) entry.getSize()];
    try (InputStream in = jar.getInputStream(entry)) {
      int length = 0;
      while (length < bytes.length) {
        int count = in.read(bytes, length, bytes.length - length);
        if (count < 0) {
          throw new IOException(entry.getName() + " ends early");
        }
        length += count;
      }
    }
    return bytes;
  }
}
