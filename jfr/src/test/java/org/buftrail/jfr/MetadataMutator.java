package org.buftrail.jfr;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Describes the types of a recording otherwise than its writer did. The new metadata stands at the
 * end of each chunk, and the header names it; events and constants stay as they are. One seed
 * changes one recording always alike.
 */
final class MetadataMutator {
  private static final int HEADER = 68;
  private static final List<String> SAYINGS =
      List.of("jdk.jfr.Label", "jdk.jfr.Description", "jdk.jfr.Category", "jdk.jfr.Experimental");

  private final Random random;
  private int nextId = 1_000_000;

  /** An element of the metadata: a class, field, annotation or setting. */
  private static final class Element {
    final String kind;
    Map<String, String> attributes = new LinkedHashMap<>();
    final List<Element> children = new ArrayList<>();

    Element(String kind, String... attributes) {
      this.kind = kind;
      for (int i = 0; i < attributes.length; i += 2) {
        this.attributes.put(attributes[i], attributes[i + 1]);
      }
    }

    String get(String attribute) {
      return attributes.getOrDefault(attribute, "");
    }

    Element copy() {
      Element copy = new Element(kind);
      copy.attributes.putAll(attributes);
      children.forEach(child -> copy.children.add(child.copy()));
      return copy;
    }

    List<Element> all(String kind) {
      return children.stream().filter(child -> child.kind.equals(kind)).toList();
    }
  }

  /** Reads numbers and texts as a compressed chunk has them. */
  private static final class Reader {
    final byte[] bytes;
    int at;

    Reader(byte[] bytes, int at) {
      this.bytes = bytes;
      this.at = at;
    }

    long number() {
      long value = 0;
      for (int i = 0; i < 9; i++) {
        byte b = bytes[at++];
        value |= (b & (i == 8 ? 0xFFL : 0x7FL)) << (7 * i);
        if (b >= 0) {
          break;
        }
      }
      return value;
    }

    String text() {
      int encoding = bytes[at++];
      if (encoding < 3) {
        return "";
      }
      int length = (int) number();
      if (encoding == 4) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
          text.append((char) number());
        }
        return text.toString();
      }
      at += length;
      return new String(
          bytes,
          at - length,
          length,
          encoding == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    Element element(List<String> strings) {
      Element element = new Element(strings.get((int) number()));
      for (long i = number(); i > 0; i--) {
        String key = strings.get((int) number());
        element.attributes.put(key, strings.get((int) number()));
      }
      for (long i = number(); i > 0; i--) {
        element.children.add(element(strings));
      }
      return element;
    }
  }

  MetadataMutator(long seed) {
    random = new Random(seed);
  }

  /** The recording with metadata that says the same in other words and another order. */
  byte[] reworded(byte[] recording) {
    return each(recording, false);
  }

  /** The recording with metadata that describes other types than there are. */
  byte[] wrong(byte[] recording) {
    return each(recording, true);
  }

  private byte[] each(byte[] recording, boolean wrong) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int chunk = 0;
    while (chunk + HEADER <= recording.length) {
      int size = (int) ByteBuffer.wrap(recording).getLong(chunk + 8);
      byte[] content = Arrays.copyOfRange(recording, chunk, chunk + size);
      out.writeBytes(changed(content, wrong));
      chunk += size;
    }
    return out.toByteArray();
  }

  private byte[] changed(byte[] chunk, boolean wrong) {
    ByteBuffer header = ByteBuffer.wrap(chunk);
    Reader reader = new Reader(chunk, (int) header.getLong(24));
    reader.number();
    List<Long> head = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      head.add(reader.number());
    }
    List<String> strings = new ArrayList<>();
    for (long i = reader.number(); i > 0; i--) {
      strings.add(reader.text());
    }
    Element root = reader.element(strings);
    Element metadata = root.all("metadata").get(0);
    for (int i = wrong ? 1 + random.nextInt(4) / 3 : 1 + random.nextInt(8); i > 0; i--) {
      if (wrong) {
        describeWrongly(metadata);
      } else {
        reword(metadata);
      }
    }
    byte[] event = event(head, root);
    byte[] next = Arrays.copyOf(chunk, chunk.length + event.length);
    System.arraycopy(event, 0, next, chunk.length, event.length);
    ByteBuffer.wrap(next).putLong(8, next.length).putLong(24, chunk.length);
    return next;
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private Element classOrField(Element metadata) {
    Element type = pick(metadata.children);
    return type.children.isEmpty() || random.nextInt(3) == 0 ? type : pick(type.children);
  }

  private void reword(Element metadata) {
    Element element = classOrField(metadata);
    switch (random.nextInt(8)) {
      case 0 -> Collections.shuffle(metadata.children, random);
      case 1 -> metadata.children.forEach(this::shuffleAttributes);
      case 2 -> element.attributes.put("future", "x");
      case 3 -> element.children.add(new Element("annotation", "class", "987654"));
      case 4 -> element.children.add(0, new Element("setting", "name", "x", "class", "1"));
      case 5 -> metadata.children.add(random.nextInt(metadata.children.size()), unused(metadata));
      case 6 -> withoutSayings(metadata);
      default -> metadata.children.forEach(MetadataMutator::sayWhatIsNot);
    }
  }

  /** Says of fields that they are no arrays and no constants, which goes without saying. */
  private static void sayWhatIsNot(Element type) {
    for (Element field : type.all("field")) {
      field.attributes.putIfAbsent("dimension", "0");
      field.attributes.putIfAbsent("constantPool", "false");
    }
  }

  private void shuffleAttributes(Element element) {
    List<String> keys = new ArrayList<>(element.attributes.keySet());
    Collections.shuffle(keys, random);
    Map<String, String> next = new LinkedHashMap<>();
    keys.forEach(key -> next.put(key, element.get(key)));
    element.attributes = next;
    element.children.forEach(this::shuffleAttributes);
  }

  private static void withoutSayings(Element metadata) {
    List<String> ids =
        metadata.children.stream()
            .filter(type -> SAYINGS.contains(type.get("name")))
            .map(type -> type.get("id"))
            .toList();
    for (Element type : metadata.children) {
      type.children.removeIf(a -> a.kind.equals("annotation") && ids.contains(a.get("class")));
      type.children.forEach(
          field ->
              field.children.removeIf(
                  a -> a.kind.equals("annotation") && ids.contains(a.get("class"))));
    }
  }

  /** A type that nothing in the recording has, of itself and others. */
  private Element unused(Element metadata) {
    String id = String.valueOf(nextId++);
    Element type = new Element("class", "name", "some.Unused" + id, "id", id);
    for (int i = random.nextInt(4); i > 0; i--) {
      String other = random.nextInt(3) == 0 ? id : pick(metadata.children).get("id");
      Element field = new Element("field", "name", "f" + i, "class", other);
      if (other.equals(id) || random.nextBoolean()) {
        field.attributes.put("constantPool", "true");
      }
      type.children.add(field);
    }
    return type;
  }

  private void describeWrongly(Element metadata) {
    List<Element> types =
        metadata.children.stream().filter(type -> !type.all("field").isEmpty()).toList();
    List<Element> read = types.stream().filter(MetadataMutator::isRead).toList();
    Element type = pick(read.isEmpty() || random.nextInt(4) == 0 ? types : read);
    Element field = pick(type.all("field"));
    switch (random.nextInt(14)) {
      case 0 -> field.attributes.put("name", pick(pick(types).all("field")).get("name"));
      case 1 -> type.attributes.put("name", pick(types).get("name"));
      case 2, 3 -> field.attributes.put("class", pick(metadata.children).get("id"));
      case 4 -> field.attributes.put("class", pick(List.of("987654", type.get("id"), "-1", "x")));
      case 5 -> flip(field, "dimension", "1");
      case 6 -> flip(field, "constantPool", "true");
      case 7 -> type.children.remove(field);
      case 8 -> type.children.add(random.nextInt(type.children.size() + 1), field.copy());
      case 9 -> metadata.children.remove(type);
      case 10 -> type.attributes.put("id", pick(metadata.children).get("id"));
      case 11 -> metadata.children.add(type.copy());
      case 12 -> field.attributes.put("class", unfolding(metadata));
      default -> field.attributes.put("dimension", pick(List.of("2", "-1", "x", "99999999999")));
    }
  }

  /** Whether a conversion looks into what has this type. */
  private static boolean isRead(Element type) {
    String name = type.get("name");
    return name.matches("(jdk\\.types\\.(Stack|Method|Symbol|Thread|Frame)|java\\.lang\\.).*")
        || JdkSums.names().stream()
            .flatMap(profile -> JdkSums.sources(profile).stream())
            .anyMatch(source -> source.event().equals(name));
  }

  private static void flip(Element field, String attribute, String value) {
    if (field.attributes.remove(attribute) == null) {
      field.attributes.put(attribute, value);
    }
  }

  /**
   * Adds types that hold each other many times over, with nothing at the end; answers the first.
   */
  private String unfolding(Element metadata) {
    int first = nextId;
    int depth = 1 + random.nextInt(60);
    for (int i = 0; i < depth; i++) {
      Element type =
          new Element("class", "name", "some.Fold" + nextId, "id", String.valueOf(nextId));
      nextId++;
      for (int k = i + 1 < depth ? random.nextInt(4) : 0; k > 0; k--) {
        Element field = new Element("field", "name", "f" + k, "class", String.valueOf(nextId));
        if (random.nextInt(8) == 0) {
          field.attributes.put("dimension", "1");
        }
        type.children.add(field);
      }
      metadata.children.add(type);
    }
    return String.valueOf(first);
  }

  private byte[] event(List<Long> head, Element root) {
    List<String> strings = new ArrayList<>();
    collect(root, strings);
    Collections.shuffle(strings, random);
    Map<String, Integer> index = new LinkedHashMap<>();
    strings.forEach(text -> index.putIfAbsent(text, index.size()));
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    head.forEach(value -> number(body, value));
    number(body, index.size());
    index.keySet().forEach(text -> text(body, text));
    element(body, root, index);
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    // The size is that of the whole event, in four bytes.
    int size = body.size() + 4;
    for (int i = 0; i < 4; i++) {
      event.write(((size >>> (7 * i)) & 0x7F) | (i < 3 ? 0x80 : 0));
    }
    event.writeBytes(body.toByteArray());
    return event.toByteArray();
  }

  private static void collect(Element element, List<String> strings) {
    strings.add(element.kind);
    element.attributes.forEach((key, value) -> strings.addAll(List.of(key, value)));
    element.children.forEach(child -> collect(child, strings));
  }

  private static void element(
      ByteArrayOutputStream target, Element element, Map<String, Integer> index) {
    number(target, index.getOrDefault(element.kind, 0));
    number(target, element.attributes.size());
    element.attributes.forEach(
        (key, value) -> {
          number(target, index.getOrDefault(key, 0));
          number(target, index.getOrDefault(value, 0));
        });
    number(target, element.children.size());
    element.children.forEach(child -> element(target, child, index));
  }

  private void text(ByteArrayOutputStream target, String text) {
    if (random.nextInt(4) == 0) {
      target.write(4);
      number(target, text.length());
      text.chars().forEach(c -> number(target, c));
    } else {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      target.write(3);
      number(target, bytes.length);
      target.writeBytes(bytes);
    }
  }

  private static void number(ByteArrayOutputStream target, long value) {
    long rest = value;
    for (int i = 0; i < 8 && rest >>> 7 != 0; i++) {
      target.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    target.write((int) rest);
  }
}
