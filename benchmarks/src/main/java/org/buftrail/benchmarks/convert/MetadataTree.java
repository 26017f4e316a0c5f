package org.buftrail.benchmarks.convert;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The types of a recording, as the elements of its metadata event. */
public final class MetadataTree {
  private final Map<String, Integer> strings = new LinkedHashMap<>();
  private final List<Element> types = new ArrayList<>();

  /** An element: its name, attributes and children. */
  private record Element(String name, Map<String, String> attributes, List<Element> children) {
    Element(String name) {
      this(name, new LinkedHashMap<>(), new ArrayList<>());
    }
  }

  /** Adds a type. Fields are added to the type added last. */
  public MetadataTree type(int id, String name) {
    Element type = new Element("class");
    type.attributes.put("name", name);
    type.attributes.put("id", Integer.toString(id));
    types.add(type);
    return this;
  }

  /** Adds a type of one field, which stands for it. */
  MetadataTree simple(int id, String name) {
    type(id, name);
    types.get(types.size() - 1).attributes.put("simpleType", "true");
    return this;
  }

  /** Adds an event type. */
  public MetadataTree event(int id, String name) {
    type(id, name);
    types.get(types.size() - 1).attributes.put("superType", "jdk.jfr.Event");
    return this;
  }

  /** Adds a field that stands where it is used. */
  public MetadataTree field(String name, int type) {
    add(name, type);
    return this;
  }

  /** Adds a field that is the key of a constant. */
  public MetadataTree constant(String name, int type) {
    add(name, type).attributes.put("constantPool", "true");
    return this;
  }

  /** Adds a field of any number of elements. */
  public MetadataTree array(String name, int type) {
    add(name, type).attributes.put("dimension", "1");
    return this;
  }

  private Element add(String name, int type) {
    Element field = new Element("field");
    field.attributes.put("name", name);
    field.attributes.put("class", Integer.toString(type));
    types.get(types.size() - 1).children.add(field);
    return field;
  }

  /** Writes the strings and the tree. */
  public void write(ChunkBytes out) {
    Element root = new Element("root");
    Element metadata = new Element("metadata");
    metadata.children.addAll(types);
    Element region = new Element("region");
    region.attributes.put("locale", "en_US");
    region.attributes.put("gmtOffset", "0");
    root.children.add(metadata);
    root.children.add(region);
    number(root);
    out.varint(strings.size());
    strings.keySet().forEach(out::string);
    write(root, out);
  }

  private void number(Element element) {
    index(element.name);
    element.attributes.forEach(
        (key, value) -> {
          index(key);
          index(value);
        });
    element.children.forEach(this::number);
  }

  private int index(String string) {
    return strings.computeIfAbsent(string, s -> strings.size());
  }

  private void write(Element element, ChunkBytes out) {
    out.varint(index(element.name)).varint(element.attributes.size());
    element.attributes.forEach((key, value) -> out.varint(index(key)).varint(index(value)));
    out.varint(element.children.size());
    element.children.forEach(child -> write(child, out));
  }
}
