package org.buftrail.agent.weave.classfile;

import java.io.File;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** The class path that the manifest of a jar appends. */
public final class ManifestClassPath {
  private ManifestClassPath() {}

  /**
   * The places that a manifest names, in its order.
   *
   * @throws IllegalArgumentException where one of them is malformed
   */
  public static List<URI> of(@Nullable Manifest manifest, File jar) {
    Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
    String named = attributes.getValue(Attributes.Name.CLASS_PATH);
    List<URI> places = new ArrayList<>();
    if (named != null && !named.isBlank()) {
      URI base = jar.toURI();
      for (String each : named.trim().split("\\s+", -1)) {
        places.add(base.resolve(each));
      }
    }
    return places;
  }
}
